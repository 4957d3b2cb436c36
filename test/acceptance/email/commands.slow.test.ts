import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  allowSenders,
  getOrCreateAddress,
  mailServiceOptions,
  sendMail,
  waitForProcessedMail,
} from '../../support/mail.ts';
import {
  type MailReceiver,
  type ReceivedMail,
  startMailReceiver,
} from '../../support/mail-receiver.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

describe.each(oneEngine)('a command by mail on %s', (engine) => {
  let service: Service;
  let receiver: MailReceiver;
  beforeAll(async () => {
    receiver = await startMailReceiver();
    const env = { ...mailServiceOptions.env, MNEME_SMTP_URL: receiver.url };
    service = await startService(engine, { ...mailServiceOptions, env });
  });
  afterAll(async () => {
    await service.stop();
    await receiver[Symbol.asyncDispose]();
  });

  let people = 0;
  async function correspondent() {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    await allowSenders(client);
    people += 1;
    // Addresses are stored in lower case.
    const from = `person${people}.${engine.toLowerCase()}@example.com`;
    const write = (subject: string, more: object = {}) =>
      sendMail(service, { from, to, subject, ...more });
    const answers = (count = 1): Promise<ReceivedMail[]> =>
      eventually(
        async () => receiver.receivedBy(from),
        (got) => got.length >= count,
        20_000,
      );
    return { client, to, from, write, answers };
  }

  it('store answers in the thread with the id of the memory', async () => {
    const { client, to, write, answers } = await correspondent();
    const id = await write('store: tea is ready', { references: '<older@example.com>' });
    const { responseMemoryId } = await waitForProcessedMail(client, id);
    const [{ mail, from } = await none()] = await answers();
    expect(mail.subject).toBe('Re: store: tea is ready');
    expect(mail.inReplyTo).toBe(`<${id}>`);
    expect(mail.references).toEqual(['<older@example.com>', `<${id}>`]);
    expect(mail.headers.get('auto-submitted')).toBe('auto-replied');
    expect(mail.from?.value[0]?.address).toBe('no-reply@mail.test');
    expect(mail.replyTo?.value[0]?.address).toBe(to);
    expect(mail.text).toContain(responseMemoryId);
    expect(from).toBe('');
  });

  it('search and recall answer with what is known', async () => {
    const { client, write, answers } = await correspondent();
    const content = 'The car would not start because its battery was dead.';
    await client.memories.create({ body: { content } });
    await waitForProcessedMail(client, await write('search: battery of the car'));
    const [{ mail } = await none()] = await answers();
    expect(mail.text).toContain('battery was dead');
    await waitForProcessedMail(client, await write('recall: why did the car not start?'));
    const [, { mail: second } = await none()] = await answers(2);
    expect(second.text).toContain('battery was dead');
    await waitForProcessedMail(client, await write('search: nothing of that kind zzzz'));
    expect((await answers(3))[2]?.mail.text).toBeDefined();
  });

  it('forget asks back, and forgets when the answer comes with its code, once', async () => {
    const { client, write, answers } = await correspondent();
    const memory = await client.memories.create({ body: { content: 'The code word is marmot.' } });
    const params = { id: memory.id };
    await waitForProcessedMail(client, await write('forget: code word marmot'));
    const [{ mail: asked } = await none()] = await answers();
    expect(asked.subject).toMatch(/^forget: [A-Z0-9]{10}$/);
    expect(asked.text).toContain('The code word is marmot.');
    expect((await client.memories.get({ params })).is_deleted).toBe(false);
    // An automatic reply confirms nothing.
    const subject = `Re: ${asked.subject}`;
    const headers = { 'Auto-Submitted': 'auto-replied' };
    await waitForProcessedMail(client, await write(subject, { headers }));
    expect((await client.memories.get({ params })).is_deleted).toBe(false);
    await waitForProcessedMail(client, await write(subject));
    expect((await client.memories.get({ params })).is_deleted).toBe(true);
    await client.memories.restore({ params });
    const again = await waitForProcessedMail(client, await write(subject));
    expect(again.status).toBe('failed');
    expect((await client.memories.get({ params })).is_deleted).toBe(false);
  });

  it("is not confirmed by somebody else's answer", async () => {
    const { client, to, write, answers } = await correspondent();
    const memory = await client.memories.create({ body: { content: 'The gate code is 4411.' } });
    await waitForProcessedMail(client, await write('forget: gate code'));
    const [{ mail: asked } = await none()] = await answers();
    const subject = `Re: ${asked.subject}`;
    const id = await sendMail(service, { from: 'other@example.com', to, subject });
    expect((await waitForProcessedMail(client, id)).status).toBe('failed');
    const { is_deleted } = await client.memories.get({ params: { id: memory.id } });
    expect(is_deleted).toBe(false);
  });

  it('help is sent on asking, and what is not understood is answered with it', async () => {
    const { client, write, answers } = await correspondent();
    await waitForProcessedMail(client, await write('help'));
    expect((await answers())[0]?.mail.text).toContain('recall: question');
    const misread = await waitForProcessedMail(client, await write('serach: tea'));
    expect(misread).toMatchObject({ status: 'failed', parsedIntent: null });
    const text = (await answers(2))[1]?.mail.text;
    expect(text).toContain('"serach:"');
    expect(text).toContain('Nothing was changed.');
    const nowhere = await waitForProcessedMail(client, await write('store: x @nowhere'));
    expect(nowhere).toMatchObject({ status: 'failed', responseMemoryId: null });
    expect((await answers(3))[2]?.mail.text).toContain('There is no space "nowhere".');
    expect((await client.memories.list()).data).toEqual([]);
  });

  it('stop keeps reactions and digests from the sender', async () => {
    const { client, from, write } = await correspondent();
    await waitForProcessedMail(client, await write('stop'));
    const { data } = await client.email.listSuppressions();
    expect(data).toMatchObject([{ email: from, reason: 'stop' }]);
  });

  it('of a list or a program is stored, and not answered', async () => {
    const { client, from, write, answers } = await correspondent();
    const list = await write('from a list', { headers: { 'List-Id': '<l.example.com>' } });
    expect((await waitForProcessedMail(client, list)).responseMemoryId).not.toBeNull();
    const bulk = await write('from a program', { headers: { 'Auto-Submitted': 'auto-generated' } });
    expect((await waitForProcessedMail(client, bulk)).responseMemoryId).not.toBeNull();
    const junk = await write('from a program, too', { headers: { Precedence: 'junk' } });
    expect((await waitForProcessedMail(client, junk)).responseMemoryId).not.toBeNull();
    await waitForProcessedMail(client, await write('store: from a person'));
    await answers();
    expect(receiver.receivedBy(from).map(({ mail }) => mail.subject)).toEqual([
      'Re: store: from a person',
    ]);
  });

  it('says the same as a memory there is: that one is named', async () => {
    const { client, write } = await correspondent();
    const first = await waitForProcessedMail(client, await write('store: said twice'));
    const second = await waitForProcessedMail(client, await write('store: said twice'));
    expect(second).toMatchObject({
      status: 'completed',
      responseMemoryId: first.responseMemoryId,
    });
  });

  it('is bound by the quotas of the plan', async () => {
    const { client } = await service.createAccount('free');
    const to = await getOrCreateAddress(client);
    const id = await sendMail(service, {
      from: 'ana@example.com',
      to,
      subject: 'long',
      text: 'word '.repeat(2_000),
    });
    // Polling would exhaust the rate limit of a free account.
    await service.running.context.worker.drain();
    expect(await waitForProcessedMail(client, id)).toMatchObject({
      status: 'failed',
      responseMemoryId: null,
    });
  });
});

const none = (): never => {
  throw new Error('there is no answer');
};
