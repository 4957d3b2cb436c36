import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { allowSenders, getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';

const [ana, ben, guest] = ['ana@example.com', 'ben@example.com', 'guest@example.org'];
const nobody = { user_id: null, agent_id: null, run_id: null };
const ofAna = { ...nobody, user_id: 'ana' };
const ofBen = { ...nobody, user_id: 'ben' };
const unknown = { status: 404, code: 'not_found' };

describe.each(engines)('mail of an owner on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  async function openAccount() {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const allow = (emailPattern: string, owner: object) =>
      client.email.addSender({ body: { emailPattern, ruleType: 'allow', ...owner } });
    const userOf = async (user_id: string) =>
      service.client((await client.auth.createToken({ body: { user_id } })).token);
    /** Hands in a mail, and returns its row once it is processed. */
    async function handIn(from: string, subject: string, more: MailOptions = {}) {
      const { query = '', lines = [], verified = true } = more;
      const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, ...lines];
      const raw =
        more.attached === undefined ? `${head.join('\r\n')}\r\n\r\n` : withText(head, more);
      const { body, status } = await postInboundMail(client, raw, `?verified=${verified}${query}`);
      expect(status).toBe(202);
      const params = { id: (body as { history_id: string }).history_id };
      return eventually(
        () => client.email.getHistory({ params }),
        (mail) => !['received', 'processing'].includes(mail.status),
        20_000,
      );
    }
    return { client, allow, userOf, handIn };
  }
  interface MailOptions {
    readonly query?: string;
    readonly lines?: readonly string[];
    readonly verified?: boolean;
    /** The text of a file that is attached. */
    readonly attached?: string;
  }
  const withText = (head: readonly string[], { attached }: MailOptions): string =>
    [
      ...head,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x\r\nContent-Type: text/plain\r\n\r\nSee the file.',
      '--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt',
      `\r\n${attached}`,
      '--x--\r\n',
    ].join('\r\n');
  const memoryOf = (client: Client, id: string | null | undefined) =>
    client.memories.get({ params: { id: id ?? '' } });

  it('gives all names of the rule to the memories of the mail and of its attachments', async () => {
    const { client, allow, handIn } = await openAccount();
    const owner = { user_id: 'ana', agent_id: 'postman', run_id: 'r1' };
    await allow(ana, owner);
    const mail = await handIn(ana, 'store: Tea.', { attached: 'Oat biscuits.' });
    expect(mail).toMatchObject({ status: 'completed', ...owner });
    expect(await memoryOf(client, mail.responseMemoryId)).toMatchObject(owner);
    const { data } = await client.email.listAttachments({ params: { id: mail.id } });
    expect(await memoryOf(client, data[0]?.memoryId)).toMatchObject({
      content: 'Oat biscuits.',
      ...owner,
    });
  });

  it('is listed by each name of its owner, with the replies to it and the rules', async () => {
    const { client, allow, handIn } = await openAccount();
    const owner = { user_id: 'ana', agent_id: 'postman', run_id: 'r1' };
    await allow(ana, owner);
    await allow(ben, { user_id: 'ben', agent_id: 'cook', run_id: 'r2' });
    const mail = await handIn(ana, 'store: one');
    await handIn(ben, 'store: two');
    for (const [name, value] of Object.entries(owner)) {
      const query = { [name]: value };
      expect((await client.email.listHistory({ query })).data, name).toEqual([mail]);
      const { data: replies } = await client.email.listOutbound({ query });
      expect(
        replies.map(({ historyId }) => historyId),
        name,
      ).toEqual([mail.id]);
      const { data: rules } = await client.email.listSenders({ query });
      expect(
        rules.map(({ emailPattern }) => emailPattern),
        name,
      ).toEqual([ana]);
    }
    const mixed = { query: { user_id: 'ana', agent_id: 'cook' } };
    expect((await client.email.listHistory(mixed)).data).toEqual([]);
    expect((await client.email.listOutbound(mixed)).data).toEqual([]);
    expect((await client.email.listSenders(mixed)).data).toEqual([]);
  });

  it('reaches memories of every owner if the rule of its sender has none', async () => {
    const { client, handIn } = await openAccount();
    await allowSenders(client, ana);
    for (const user_id of ['ana', 'ben', undefined]) {
      const body = { content: `Tea of ${user_id}.`, ...(user_id && { user_id }) };
      const { id } = await client.memories.create({ body });
      const mail = await handIn(ana, `forget: ${id}`);
      expect(mail).toMatchObject({ responseMemoryId: id, ...nobody });
    }
  });

  it('is of the user whom the relay names also without a rule, but not verified', async () => {
    const { client, userOf, handIn } = await openAccount();
    const mail = await handIn(guest, 'store: Tea.', { query: '&user_id=ana', verified: false });
    expect(mail).toMatchObject({ status: 'completed', verified: false, ...ofAna });
    expect(await memoryOf(client, mail.responseMemoryId)).toMatchObject({
      ...ofAna,
      metadata: { email_verified: false },
    });
    const query = { query: '&user_id=ana', verified: false };
    const refused = await handIn(guest, 'search: Tea', query);
    expect(refused).toMatchObject({ status: 'rejected', verified: false, ...ofAna });
    const [anas, bens] = [await userOf('ana'), await userOf('ben')];
    expect((await anas.email.listHistory()).data).toEqual([refused, mail]);
    expect((await bens.email.listHistory()).data).toEqual([]);
  });

  it('is of its own sender also where it answers the mail of another user', async () => {
    const { client, allow, userOf, handIn } = await openAccount();
    await allow(ana, { user_id: 'ana' });
    await allow(ben, { user_id: 'ben' });
    const lines = (id: string, of: string) => [
      `Message-ID: <${id}@example.com>`,
      `In-Reply-To: <${of}@example.com>`,
      `References: <${of}@example.com>`,
    ];
    const first = await handIn(ana, 'store: Tea at five.', { lines: lines('a', 'none') });
    const answer = await handIn(ben, 'Re: store: Tea at six.', { lines: lines('b', 'a') });
    expect(first).toMatchObject({ status: 'completed', ...ofAna });
    expect(answer).toMatchObject({ status: 'completed', ...ofBen });
    expect(await memoryOf(client, answer.responseMemoryId)).toMatchObject(ofBen);
    const anas = await userOf('ana');
    expect((await anas.email.listHistory()).data).toEqual([first]);
    await expect(anas.email.getHistory({ params: { id: answer.id } })).rejects.toMatchObject(
      unknown,
    );
  });

  it('is found, recalled and read by its user alone, also with a file of two', async () => {
    const { client, allow, userOf, handIn } = await openAccount();
    await allow(ana, { user_id: 'ana' });
    await allow(ben, { user_id: 'ben' });
    const mails = {
      ana: await handIn(ana, 'store: The kettle is at the window.', { attached: 'Kettle manual.' }),
      ben: await handIn(ben, 'store: The kettle is in the cellar.', { attached: 'Kettle manual.' }),
    };
    const ownWords = { ana: 'window', ben: 'cellar' };
    for (const [user, other] of [
      ['ana', 'ben'],
      ['ben', 'ana'],
    ] as const) {
      const reader = await userOf(user);
      const { data } = await reader.email.listAttachments({ params: { id: mails[user].id } });
      const own = [mails[user].responseMemoryId, data[0]?.memoryId];
      const { results } = await reader.search.post({ body: { q: 'kettle' } });
      expect(results.map(({ id }) => id).toSorted()).toEqual(own.toSorted());
      const { context } = await reader.search.recall({ body: { query: 'Where is the kettle?' } });
      expect(context).toContain(ownWords[user]);
      expect(context).not.toContain(ownWords[other]);
      const filtered = await client.search.post({ body: { q: 'kettle', user_id: user } });
      expect(filtered.results.map(({ id }) => id).toSorted()).toEqual(own.toSorted());
    }
  });
});
