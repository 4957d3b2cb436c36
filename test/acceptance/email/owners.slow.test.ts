import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  allowSenders,
  getOrCreateAddress,
  mailServiceOptions,
  postInboundMail,
  sendMail,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { type MailReceiver, startMailReceiver } from '../../support/mail-receiver.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const nobody = { user_id: null, agent_id: null, run_id: null };
const ofAna = { ...nobody, user_id: 'ana' };

describe.each(engines)('owners of mail on %s', (engine) => {
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
  /** An account, and two senders whose replies no other test receives. */
  async function openAccount() {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    people += 1;
    const sender = (name: string) => `${name}${people}.${engine.toLowerCase()}@example.com`;
    const write = async (from: string, subject: string, more: object = {}) => {
      const id = await sendMail(service, { from, to, subject, text: '', ...more });
      return waitForProcessedMail(client, id);
    };
    return { client, to, ana: sender('ana'), ben: sender('ben'), write };
  }

  let mails = 0;
  /** Hands a mail in, as a relay does, which has verified its sender. */
  async function handIn(client: Client, query: string, lines: readonly string[], body = '') {
    mails += 1;
    const id = `m${mails}.${engine.toLowerCase()}@example.com`;
    const raw = [`Message-ID: <${id}>`, ...lines, '', body, ''].join('\r\n');
    const { status } = await postInboundMail(client, raw, `?verified=true${query}`);
    expect(status).toBe(202);
    return waitForProcessedMail(client, id);
  }

  const memoryOf = (client: Client, id: string | null) =>
    client.memories.get({ params: { id: id ?? '' } });

  const replyTo = async (address: string, count = 1): Promise<string> => {
    const got = await eventually(
      async () => receiver.receivedBy(address),
      (list) => list.length >= count,
      20_000,
    );
    return got[count - 1]?.mail.text ?? '';
  };

  it('are those of POST /email/inbound, also of what is attached', async () => {
    const { client, to, ana } = await openAccount();
    const head = [`From: ${ana}`, `To: ${to}`, 'Subject: store: Tea at five.', 'MIME-Version: 1.0'];
    const body = [
      '--x\r\nContent-Type: text/plain\r\n\r\nBring biscuits.',
      '--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt',
      '\r\nThe biscuits are oat.',
      '--x--',
    ].join('\r\n');
    const type = 'Content-Type: multipart/mixed; boundary=x';
    const owner = { user_id: 'ana', agent_id: 'postman', run_id: 'r/1' };
    const query = '&user_id=ana&agent_id=postman&run_id=r/1';
    const mail = await handIn(client, query, [...head, type], body);
    expect(mail).toMatchObject({ status: 'completed', ...owner });
    expect(await memoryOf(client, mail.responseMemoryId)).toMatchObject(owner);
    const { data } = await client.email.listAttachments({ params: { id: mail.id } });
    expect(await memoryOf(client, data[0]?.memoryId ?? null)).toMatchObject({
      content: 'The biscuits are oat.',
      ...owner,
    });
    for (const wrong of ['user_id=', 'agent_id=a%20b', `run_id=${'x'.repeat(129)}`]) {
      const refusal = await postInboundMail(client, 'Subject: x\r\n\r\n', `?${wrong}`);
      expect(refusal, wrong).toMatchObject({ status: 400 });
    }
  });

  it('come from the rule of a verified sender', async () => {
    const { client, ana, write } = await openAccount();
    const rule = { emailPattern: ana, ruleType: 'allow', user_id: 'ana' } as const;
    expect(await client.email.addSender({ body: rule })).toMatchObject({ ...rule, ...ofAna });
    const check = await client.email.checkSender({ body: { email: ana } });
    expect(check.matchedRule).toMatchObject(ofAna);
    const mail = await write(ana, 'store: Ana prefers tea.');
    expect(mail).toMatchObject({ status: 'completed', verified: true, ...ofAna });
    expect(await memoryOf(client, mail.responseMemoryId)).toMatchObject(ofAna);
  });

  it('are never those of a rule whose sender is not verified', async () => {
    const { client, to, ana } = await openAccount();
    const body = { emailPattern: ana, ruleType: 'allow', user_id: 'ana' } as const;
    await client.email.addSender({ body });
    const raw = `From: ${ana}\r\nTo: ${to}\r\nMessage-ID: <forged@x>\r\nSubject: store: x\r\n\r\n`;
    await postInboundMail(client, raw);
    const forged = await waitForProcessedMail(client, 'forged@x');
    expect(forged).toMatchObject({ status: 'rejected', verified: false, ...nobody });
    expect((await client.memories.list()).data).toEqual([]);
  });

  it('are what the relay and the rule name together, and a mail of two is rejected', async () => {
    const { client, to, ana, ben } = await openAccount();
    const body = { emailPattern: ana, ruleType: 'allow', user_id: 'ana' } as const;
    await client.email.addSender({ body });
    await allowSenders(client, ben);
    const lines = (from: string, what: string) => [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: store: ${what}`,
    ];
    const both = await handIn(client, '&run_id=r1', lines(ana, 'one'));
    expect(both).toMatchObject({ status: 'completed', ...ofAna, run_id: 'r1' });
    const mail = await handIn(client, '&user_id=ben', lines(ana, 'two'));
    expect(mail).toMatchObject({
      status: 'rejected',
      verified: false,
      reason: 'The rule that allows this sender is for mail of another owner.',
      responseMemoryId: null,
    });
    // A rule without an owner allows its sender for every owner.
    const any = await handIn(client, '&user_id=cleo', lines(ben, 'three'));
    expect(any).toMatchObject({ status: 'completed', ...nobody, user_id: 'cleo' });
    expect((await client.memories.list()).data.map(({ content }) => content).toSorted()).toEqual([
      'one',
      'three',
    ]);
  });

  it('bound what search, recall and forget by mail reach', async () => {
    const { client, ana, write } = await openAccount();
    const rule = { emailPattern: ana, ruleType: 'allow', user_id: 'ana', agent_id: 'a' } as const;
    await client.email.addSender({ body: rule });
    const store = (content: string, owner: object) =>
      client.memories.create({ body: { content, ...owner } });
    const own = await store('The gate code of Ana is 4411.', { user_id: 'ana', agent_id: 'a' });
    const others = [
      await store('The gate code of Ben is 9922.', { user_id: 'ben', agent_id: 'a' }),
      await store('The gate code of nobody is 7733.', {}),
      await store('The gate code of another agent is 5566.', { user_id: 'ana', agent_id: 'b' }),
    ];
    await write(ana, 'search: gate code');
    await write(ana, 'recall: what is the gate code?');
    await write(ana, 'forget: gate code of Ben 9922');
    const texts = [await replyTo(ana, 1), await replyTo(ana, 2), await replyTo(ana, 3)];
    for (const text of texts) {
      expect(text).toContain('4411');
      expect(text).not.toMatch(/ (?:9922|7733|5566)\b/);
    }
    expect(texts[0]).toContain('1 found for');
    for (const { id } of others) {
      const asked = await write(ana, `forget: ${id}`);
      expect(asked.responseMemoryId).not.toBe(id);
    }
    expect((await write(ana, `forget: ${own.id}`)).responseMemoryId).toBe(own.id);
  });

  it('bound what a code confirms, as the rule is when the answer comes', async () => {
    const { client, ana, write } = await openAccount();
    const allow = (user_id: string) =>
      client.email.addSender({ body: { emailPattern: ana, ruleType: 'allow', user_id } });
    await allow('ana');
    const body = { content: 'The code word is marmot.', user_id: 'ana' };
    const { id } = await client.memories.create({ body });
    await write(ana, 'forget: code word marmot');
    await replyTo(ana);
    const subject = `Re: ${receiver.receivedBy(ana)[0]?.mail.subject}`;
    await client.email.removeSender({ params: { pattern: ana } });
    await allow('ben');
    expect(await write(ana, subject)).toMatchObject({ status: 'failed', user_id: 'ben' });
    expect((await client.memories.get({ params: { id } })).is_deleted).toBe(false);
  });

  it('keep duplicates apart: a mail for two is two, and each is one', async () => {
    const { client, to, ana } = await openAccount();
    await allowSenders(client, ana);
    const id = `<twice.${engine.toLowerCase()}@example.com>`;
    const raw = `From: ${ana}\r\nTo: ${to}\r\nMessage-ID: ${id}\r\nSubject: store: Tea.\r\n\r\n`;
    const ids: string[] = [];
    for (const user of ['ana', 'ben', 'ana', 'ben']) {
      const { body } = await postInboundMail(client, raw, `?verified=true&user_id=${user}`);
      ids.push((body as { history_id: string }).history_id);
    }
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(new Set(ids).size).toBe(2);
    await service.running.context.worker.drain();
    const { data } = await client.memories.list();
    expect(data.map(({ user_id }) => user_id).toSorted()).toEqual(['ana', 'ben']);
  });

  it('are filters of the lists of mails, of replies to them, and of senders', async () => {
    const { client, ana, ben, write } = await openAccount();
    for (const [emailPattern, user_id] of [
      [ana, 'ana'],
      [ben, 'ben'],
    ] as const)
      await client.email.addSender({ body: { emailPattern, ruleType: 'allow', user_id } });
    await write(ana, 'store: one');
    await write(ana, 'store: two');
    await write(ben, 'store: three');
    await replyTo(ana, 2);
    await replyTo(ben);
    const query = { user_id: 'ana' };
    const history = await client.email.listHistory({ query });
    expect(history.data.map(({ sender }) => sender)).toEqual([ana, ana]);
    expect(history.pagination.total).toBe(2);
    const outbound = await client.email.listOutbound({ query });
    expect(outbound.data.map(({ recipient }) => recipient)).toEqual([ana, ana]);
    const { data } = await client.email.listSenders({ query });
    expect(data).toMatchObject([{ emailPattern: ana, ...ofAna }]);
    for (const name of ['agent_id', 'run_id'] as const) {
      const none = { query: { [name]: 'x' } };
      expect((await client.email.listHistory(none)).data).toEqual([]);
      expect((await client.email.listOutbound(none)).data).toEqual([]);
      expect((await client.email.listSenders(none)).data).toEqual([]);
    }
  });

  it('are refused in a rule that blocks, naming each field', async () => {
    const { client } = await openAccount();
    const body = { emailPattern: 'x@example.com', ruleType: 'block', user_id: 'a', run_id: 'b' };
    const answer = await client.request({ method: 'POST', path: '/email/senders', body });
    expect(answer).toMatchObject({ status: 400, body: { error: 'bad_request' } });
    const { message } = answer.body as { message: string };
    expect(message).toContain('user_id');
    expect(message).toContain('run_id');
    expect((await client.email.listSenders()).data).toEqual([]);
  });

  it('show a token of one user the mails of this user, with what is attached', async () => {
    const { client, ana, ben, write } = await openAccount();
    for (const [emailPattern, user_id] of [
      [ana, 'ana'],
      [ben, 'ben'],
    ] as const)
      await client.email.addSender({ body: { emailPattern, ruleType: 'allow', user_id } });
    await allowSenders(client, '*@example.com');
    const attachments = [{ filename: 'a.txt', content: 'Some notes.' }];
    const own = await write(ana, 'store: own', { attachments });
    const bens = await write(ben, 'store: secret', { attachments });
    const nobodys = await write(`x.${ben}`, 'store: nobodys', { attachments });
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    const user = service.client(token);
    const { data, pagination } = await user.email.listHistory();
    expect(data).toEqual([own]);
    expect(pagination.total).toBe(1);
    expect(await user.email.getHistory({ params: { id: own.id } })).toEqual(own);
    const { data: files } = await user.email.listAttachments({ params: { id: own.id } });
    const [file] = files;
    const params = { id: file?.id ?? '' };
    expect(await user.email.getAttachment({ params })).toMatchObject({ filename: 'a.txt' });
    const { url } = await user.email.downloadAttachment({ params });
    expect(await (await fetch(new URL(url, service.url))).text()).toBe('Some notes.');
    const unknown = { status: 404, code: 'not_found' };
    for (const { id } of [bens, nobodys]) {
      const one = { params: { id } };
      await expect(user.email.getHistory(one)).rejects.toMatchObject(unknown);
      await expect(user.email.listAttachments(one)).rejects.toMatchObject(unknown);
      const [other] = (await client.email.listAttachments(one)).data;
      const attached = { params: { id: other?.id ?? '' } };
      await expect(user.email.getAttachment(attached)).rejects.toMatchObject(unknown);
      await expect(user.email.downloadAttachment(attached)).rejects.toMatchObject(unknown);
    }
    const another = user.email.listHistory({ query: { user_id: 'ben' } });
    await expect(another).rejects.toMatchObject({ status: 403, code: 'user_access_denied' });
  });

  it('do not bound a digest and a reaction: these are of the account', async () => {
    const { client, ana } = await openAccount();
    const recipients = [`digest.${ana}`];
    const reaction = { name: 'told', triggerType: 'memory_created' };
    const templates = { emailSubjectTemplate: 'told', emailBodyTemplate: '{{content}}' };
    const toReaction = [`reaction.${ana}`];
    await client.email.createReaction({
      body: { ...reaction, ...templates, recipients: toReaction },
    });
    const body = { name: 'daily', scheduleType: 'daily' as const, recipients };
    const { id } = await client.email.createDigest({ body });
    for (const user_id of ['ana', 'ben'])
      await client.memories.create({ body: { content: `Tea of ${user_id}.`, user_id } });
    await client.email.sendDigest({ params: { id } });
    const digest = await replyTo(`digest.${ana}`);
    expect(digest).toContain('Tea of ana.');
    expect(digest).toContain('Tea of ben.');
    await replyTo(`reaction.${ana}`, 2);
    const texts = receiver.receivedBy(`reaction.${ana}`).map(({ mail }) => mail.text?.trim() ?? '');
    expect(texts.map((text) => text.split('\n')[0]).toSorted()).toEqual([
      'Tea of ana.',
      'Tea of ben.',
    ]);
  });
});
