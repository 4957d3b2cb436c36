import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeErasedContent } from '../../../packages/server/src/domains/operations/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { findTablesContaining } from '../../support/find-tables-containing.ts';
import { getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { listBlobs } from '../media/blobs.ts';
import { type HttpResult, sendRequest } from '../media/http-requests.ts';
import { runVerification, summarizeInconsistencies } from '../verify/run-verification.ts';
import { GatedEmbedder } from './controlled-dependencies.ts';
import { createMemory, expectError } from './memory-requests.ts';

type Filter = Parameters<Client['memories']['erase']>[0]['body']['filter'];
const addressOf = (user: string) => `${user}@example.com`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe.each(engines)('erasing everything of a user on %s', (engine) => {
  const clock = createFakeClock();
  let embedder: GatedEmbedder;
  let service: Service;
  beforeAll(async () => {
    embedder = await GatedEmbedder.open();
    service = await startService(engine, { overrides: { clock, embedder } });
  });
  afterAll(() => service.stop());

  interface MailOptions {
    readonly query?: string;
    readonly verified?: boolean;
    readonly attached?: string;
  }
  /** An account with rules that give the mail of two senders to two users. */
  async function openAccount(plan?: 'max') {
    const account = await service.createAccount(plan);
    const { client, key } = account;
    const to = await getOrCreateAddress(client);
    for (const user_id of ['ana', 'ben'])
      await client.email.addSender({
        body: { emailPattern: addressOf(user_id), ruleType: 'allow', user_id },
      });
    /** Returns the id of the mail once the worker has nothing left to do. */
    async function handIn(from: string, subject: string, more: MailOptions = {}): Promise<string> {
      const { query = '', verified = true, attached } = more;
      const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, 'MIME-Version: 1.0'];
      const parts = ['Content-Type: multipart/mixed; boundary=x', '', '--x', '', 'See the file.'];
      const file = [
        'Content-Type: application/octet-stream',
        'Content-Disposition: attachment; filename=a.bin',
      ];
      const lines =
        attached === undefined
          ? [...head, '', 'The text.']
          : [...head, ...parts, '--x', ...file, '', attached, '--x--'];
      const raw = `${lines.join('\r\n')}\r\n`;
      const { body, status } = await postInboundMail(client, raw, `?verified=${verified}${query}`);
      expect(status).toBe(202);
      await service.running.context.worker.drain();
      return (body as { history_id: string }).history_id;
    }
    const upload = (fields: Readonly<Record<string, string>>, length: number, secret = key) => {
      const metadata = Object.entries(fields).map(([name, value]) => `${name} ${base64(value)}`);
      const headers = { 'upload-length': `${length}`, 'upload-metadata': metadata.join(',') };
      const who = { url: service.url, key: secret };
      return sendRequest(who, '/v1/media/uploads', { method: 'POST', headers });
    };
    /** By the answer that created the upload. */
    const request = ({ headers }: HttpResult, init = {}) =>
      sendRequest({ url: service.url, key }, headers.get('location') ?? '', init);
    const append = (created: HttpResult, body: string) =>
      request(created, {
        method: 'PATCH',
        body,
        headers: { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      });
    return { ...account, handIn, upload, request, append };
  }

  const dryRun = async (by: Client, filter: Filter) => {
    const answer = await by.memories.erase({ body: { filter, dry_run: true } });
    if (!('token' in answer)) throw new Error('no dry run');
    const { expires_at: _, ...counted } = answer;
    return counted;
  };
  const finished = (by: Client, id: string) =>
    eventually(
      () => {
        clock.advance(1_000);
        return by.jobs.get({ params: { id } });
      },
      ({ status }) => status === 'completed',
    );
  const start = async (by: Client, filter: Filter, token: string): Promise<string> => {
    const answer = await by.memories.erase({ body: { filter, token } });
    if (!('job_id' in answer)) throw new Error('no job');
    return answer.job_id;
  };
  /** The counts of the dry run, and the receipt. */
  async function erase(whole: Client, filter: Filter, by = whole) {
    const { token, ...counted } = await dryRun(by, filter);
    const { result } = await finished(whole, await start(by, filter, token));
    await removeErasedContent(service.running.context.app, { shouldYield: () => false });
    await service.running.context.worker.drain();
    return { counted, result };
  }
  const statusesOf = async (client: Client, query: object = {}) => {
    const { data } = await client.email.listHistory({ query: { limit: 100, ...query } });
    return new Map(data.map(({ id, status }) => [id, status]));
  };

  it('erases the mails that became a memory, and those that did not, in every state', async () => {
    const { id: accountId, client, handIn } = await openAccount();
    const [ana, ben] = ['ana', 'ben'].map(addressOf) as [string, string];
    const bens = await handIn(ben, 'store: Ben drinks coffee.', { attached: 'beans' });
    const before = await listBlobs(service);
    const memory = await createMemory(client, 'Ana drinks zanzibar tea.', { user_id: 'ana' });
    const states = new Map([
      [await handIn(ana, 'store: zanzibar one', { attached: 'zanzibar' }), 'completed'],
      [await handIn(ana, 'search: zanzibar', { attached: 'zanzibar' }), 'completed'],
      [await handIn(ana, `forget: ${memory.id}`), 'completed'],
      [await handIn(ana, 'store: zanzibar @nospace', { attached: 'zanzibar' }), 'failed'],
      [await handIn(ben, 'store: zanzibar two', { query: '&user_id=ana' }), 'rejected'],
      [await embedder.whileDown(() => handIn(ana, 'store: zanzibar three')), 'processing'],
    ]);
    // Not proven, but it would be Ana's: another one claims to be from Ben.
    const forged = await handIn(ana, 'store: zanzibar four', { verified: false });
    const bensForged = await handIn(ben, 'store: five', { verified: false });
    expect(await statusesOf(client, { user_id: 'ana' })).toEqual(states);
    expect((await statusesOf(client)).get(forged)).toBe('rejected');
    const { counted, result } = await erase(client, { user_id: 'ana' });
    expect(counted).toEqual({ count: 2, hard_protected: 0, mails: 7, uploads: 0 });
    expect(result).toEqual({ erased: 2, hard_protected: 0, mails: 7, uploads: 0 });
    expect([...(await statusesOf(client)).keys()].toSorted()).toEqual(
      [bens, bensForged].toSorted(),
    );
    const { data: replies } = await client.email.listOutbound();
    expect(replies.map(({ historyId }) => historyId)).toEqual([bens]);
    expect(await findTablesContaining(service, 'zanzibar')).toEqual([]);
    // Of the rule, and of the answer to its creation.
    const ofRule = ['email_sender_rules', 'idempotency'];
    expect(await findTablesContaining(service, ana)).toEqual(ofRule);
    // What the mail that claims to be from Ben holds was not there before.
    expect(await listBlobs(service)).toHaveLength(before.length + 1);
    const { data } = await service.operator().admin.listErasures({
      query: { account_id: accountId, limit: 100 },
    });
    const erasedMails = data.filter(({ kind }) => kind === 'mail').map(({ id }) => id);
    expect(erasedMails.toSorted()).toEqual([...states.keys(), forged].toSorted());
    for (const id of erasedMails) {
      const report = await service.operator().admin.getErasure({ params: { id } });
      expect(report.logical).toMatchObject({ complete: true, content: [] });
    }
    expect(summarizeInconsistencies(await runVerification(service))).toEqual([]);
  });

  it('erases a mail that came over the limits', async () => {
    const { client, handIn } = await openAccount('max');
    clock.advance(60_000 - (clock.now().getTime() % 60_000));
    for (let i = 0; i < 11; i += 1) await handIn(addressOf('ana'), `tea ${i}`);
    const statuses = [...(await statusesOf(client)).values()];
    expect(statuses.filter((status) => status === 'rate_limited')).toHaveLength(1);
    const { counted, result } = await erase(client, { user_id: 'ana' });
    expect(counted).toMatchObject({ count: 10, mails: 11 });
    expect(result).toMatchObject({ erased: 10, mails: 11 });
    expect((await statusesOf(client)).size).toBe(0);
  });

  it('erases uploads in progress, and what is kept of completed ones', async () => {
    const { client, upload, request, append } = await openAccount();
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    const started = await upload({ filename: 'a.txt', user_id: 'ana' }, 10);
    const byToken = await upload({ filename: 'b.txt' }, 10, token);
    const bens = await upload({ filename: 'c.txt', user_id: 'ben' }, 10);
    const completed = await upload({ filename: 'zanzibar.txt', user_id: 'ana' }, 4);
    for (const one of [started, byToken, bens]) expect((await append(one, 'tea')).status).toBe(204);
    expect((await append(completed, 'text')).status).toBe(204);
    const { counted, result } = await erase(client, { user_id: 'ana' });
    expect(counted).toEqual({ count: 1, hard_protected: 0, mails: 0, uploads: 2 });
    expect(result).toEqual({ erased: 1, hard_protected: 0, mails: 0, uploads: 2 });
    const all = [started, byToken, bens, completed];
    const statuses = await Promise.all(all.map(async (one) => (await request(one)).status));
    expect(statuses).toEqual([404, 404, 200, 404]);
    expect(await findTablesContaining(service, 'zanzibar')).toEqual([]);
    expect(summarizeInconsistencies(await runVerification(service))).toEqual([]);
  });

  it('keeps a mail while a memory that it became is hard-protected', async () => {
    const { client, handIn } = await openAccount();
    const id = await handIn(addressOf('ana'), 'store: kept');
    await handIn(addressOf('ana'), 'store: goes');
    const mail = await client.email.getHistory({ params: { id } });
    const params = { id: mail.responseMemoryId ?? '' };
    await client.memories.protect({ params, body: { protection_level: 'hard' } });
    const { counted, result } = await erase(client, { user_id: 'ana' });
    expect(counted).toEqual({ count: 1, hard_protected: 1, mails: 1, uploads: 0 });
    expect(result).toEqual({ erased: 1, hard_protected: 1, mails: 1, uploads: 0 });
    expect([...(await statusesOf(client)).keys()]).toEqual([id]);
    expect((await client.memories.get({ params })).content).toContain('kept');
  });

  it('erases by each name of the owner, but only memories under another condition', async () => {
    const { client, handIn } = await openAccount();
    const query = '&agent_id=postman&run_id=r1';
    for (const user of ['ana', 'ben']) await handIn(addressOf(user), 'store: tea #hot', { query });
    await handIn(addressOf('ben'), 'help', { query: '&agent_id=cook' });
    const counts = async (filter: Filter) => {
      const { count, mails } = await dryRun(client, filter);
      return [count, mails];
    };
    expect(await counts({ user_id: 'ana', tags: ['hot'] })).toEqual([1, 0]);
    expect(await counts({ user_id: 'ana', space_id: null })).toEqual([1, 0]);
    expect(await counts({ tags: ['hot'] })).toEqual([2, 0]);
    expect(await counts({ run_id: 'r1' })).toEqual([2, 2]);
    expect(await counts({ agent_id: 'cook' })).toEqual([0, 1]);
    expect(await counts({ user_id: 'ana', agent_id: 'cook' })).toEqual([0, 0]);
    const { result } = await erase(client, { agent_id: 'postman' });
    expect(result).toMatchObject({ erased: 2, mails: 2 });
    expect((await statusesOf(client)).size).toBe(1);
  });

  it('leaves the name of the user in events and in the job alone, also of a speaker', async () => {
    const { client, upload } = await openAccount();
    const user_id = 'quark-7';
    const { id: session_id } = await client.cliSessions.create({ body: { name: 'talk' } });
    const messages = [{ role: 'user' as const, content: 'I live in Lisbon.', user_id }];
    await client.cliSessions.postMessages({ params: { id: session_id }, body: { messages } });
    await client.memories.fromMessages({
      body: { messages: [{ role: 'user', content: 'I prefer green tea.' }], user_id },
    });
    await createMemory(client, 'I work at Acme.', { user_id });
    await upload({ filename: 'a.txt', user_id }, 10);
    await client.search.recall({ body: { query: 'where do I live?', user_id } });
    await service.running.context.extractionWorker.drain();
    clock.advance(1_000);
    await service.running.context.worker.drain();
    await erase(client, { user_id });
    expect(await findTablesContaining(service, user_id)).toEqual(['events', 'jobs']);
    const params = { id: session_id };
    expect((await client.cliSessions.memories({ params })).data).toEqual([]);
  });

  it('erases the key of a user whose entity was merged into another person', async () => {
    const { client } = await openAccount();
    const user_id = 'quark-8';
    const own = await createMemory(client, 'I live in Lisbon.', { user_id });
    const other = await createMemory(client, 'Ana Ruiz works at Acme.');
    await service.running.context.extractionWorker.drain();
    const entities = async (memory_id: string) =>
      (await client.knowledge.extract({ body: { memory_id } })).entities;
    const [source] = (await entities(own.id)).filter(({ name }) => name === user_id);
    const [target] = (await entities(other.id)).filter(({ name }) => name === 'Ana Ruiz');
    const body = { source_id: source?.id ?? '', target_id: target?.id ?? '' };
    await client.knowledge.merge({ body });
    await erase(client, { user_id });
    await service.running.context.extractionWorker.drain();
    expect(await findTablesContaining(service, user_id)).toEqual(['events', 'jobs']);
  });

  it('refuses a run where there are more mails or uploads than were counted', async () => {
    const { client, handIn, upload } = await openAccount();
    const filter = { user_id: 'ana' };
    const refused = async (token: string) => {
      const { status, details } = await expectError(
        client.memories.erase({ body: { filter, token } }),
      );
      return [status, details];
    };
    const first = await dryRun(client, filter);
    await handIn(addressOf('ben'), 'store: x', { query: '&user_id=ana' });
    expect(await refused(first.token)).toEqual([409, { counted: 0, count: 1 }]);
    const second = await dryRun(client, filter);
    await upload({ filename: 'a.txt', user_id: 'ana' }, 10);
    expect(await refused(second.token)).toEqual([409, { counted: 0, count: 1 }]);
    expect((await statusesOf(client)).size).toBe(1);
  });

  it('erases for a token of the user the mails and uploads of this user alone', async () => {
    const { client, handIn, upload } = await openAccount();
    for (const user of ['ana', 'ben']) {
      await handIn(addressOf(user), 'store: tea');
      await upload({ filename: 'a.txt', user_id: user }, 10);
    }
    const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
    const { counted, result } = await erase(client, { user_id: 'ana' }, service.client(token));
    expect(counted).toEqual({ count: 1, hard_protected: 0, mails: 1, uploads: 1 });
    expect(result).toEqual({ erased: 1, hard_protected: 0, mails: 1, uploads: 1 });
    const left = await dryRun(client, { user_id: 'ben' });
    expect(left).toMatchObject({ count: 1, mails: 1, uploads: 1 });
  });

  it('reaches for a limited key only mails and uploads of its spaces', async () => {
    const { client, handIn, upload } = await openAccount();
    const spaces = await Promise.all(
      ['one', 'two'].map((name) => client.spaces.create({ body: { name } })),
    );
    for (const name of ['one', 'two', 'default'])
      await handIn(addressOf('ana'), `store: in ${name} @${name}`);
    await upload({ filename: 'a.txt', user_id: 'ana' }, 10);
    const limitedTo = async (space_ids: string[]) => {
      const { key } = await client.keys.create({ body: { name: 'limited', space_ids } });
      return service.client(key);
    };
    const one = spaces[0]?.id ?? '';
    const inOne = await dryRun(await limitedTo([one]), { user_id: 'ana' });
    expect(inOne).toMatchObject({ count: 1, mails: 0, uploads: 0 });
    const limited = await limitedTo([one, 'default']);
    const { counted, result } = await erase(client, { user_id: 'ana' }, limited);
    expect(counted).toEqual({ count: 2, hard_protected: 0, mails: 2, uploads: 0 });
    expect(result).toEqual({ erased: 2, hard_protected: 0, mails: 2, uploads: 0 });
    const left = await dryRun(client, { user_id: 'ana' });
    expect(left).toMatchObject({ count: 1, mails: 1, uploads: 1 });
  });

  it('erases what was underway when it was asked for, also if it became a memory', async () => {
    const { client, handIn, upload, append } = await openAccount();
    const created = await upload({ filename: 'a.txt', user_id: 'ana' }, 4);
    embedder.closeGate();
    const mail = handIn(addressOf('ana'), 'store: underway');
    const sent = append(created, 'text');
    await eventually(
      async () => embedder.waitingCount,
      (count) => count === 2,
    );
    // Its turn is after the first mail and before the erasure.
    const waiting = handIn(addressOf('ana'), 'store: waiting');
    await eventually(
      () => statusesOf(client),
      ({ size }) => size === 2,
    );
    const filter = { user_id: 'ana' };
    const { token, ...counted } = await dryRun(client, filter);
    expect(counted).toEqual({ count: 0, hard_protected: 0, mails: 2, uploads: 1 });
    const job = await start(client, filter, token);
    clock.advance(1_000);
    embedder.openGate();
    await Promise.all([mail, waiting, sent]);
    const { result } = await finished(client, job);
    expect(result).toMatchObject({ mails: 2, hard_protected: 0 });
    expect((await client.memories.list()).data).toEqual([]);
    expect((await statusesOf(client)).size).toBe(0);
    expect(await dryRun(client, filter)).toMatchObject({ count: 0, mails: 0, uploads: 0 });
  });
});
