import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';
import { setUsage } from '../limits/usage-and-windows.ts';
import { expectError, idsOf, listEvents, searchIds } from '../memories/memory-requests.ts';
import {
  createFrozenClock,
  createSession,
  getSession,
  listSessionContents,
  listSessionMemories,
  minuteMs,
} from './session-requests.ts';

const smile = '\u{1f600}';

describe.each(engines)('POST /cli-sessions/:id/messages on %s', (engine) => {
  let service: Service;
  const clock = createFrozenClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());
  const fresh = async (plan?: 'free' | 'pro') => (await service.createAccount(plan)).client;
  const post = (client: Client, id: string, messages: readonly unknown[], headers = {}) =>
    client.request({
      method: 'POST',
      path: `/cli-sessions/${id}/messages`,
      body: { messages },
      headers,
    });
  const say = async (
    client: Client,
    id: string,
    contents: readonly string[],
  ): Promise<Memory[]> => {
    const messages = contents.map((content) => ({ role: 'user', content }));
    return (await client.cliSessions.postMessages({ params: { id }, body: { messages } })).memories;
  };
  const usageOf = async (client: Client) => (await client.account.get()).usage;

  it('answers 201 with a memory for each: role, speaker and time of what was said', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const now = clock.now().toISOString();
    const said = '2024-05-01T08:00:00+02:00';
    const answer = await post(client, id, [
      { role: 'user', name: 'Ana', content: ' I prefer tea.\n', created_at: said },
      { role: 'assistant', content: `Noted ${smile}` },
      { role: 'r'.repeat(50), name: 'n'.repeat(255), content: 'third' },
    ]);
    expect(answer.status).toBe(201);
    const plain = { session_id: id, space_id: null, tags: [], priority: 0, is_deleted: false };
    const { memories } = answer.body as { memories: Memory[] };
    expect(memories).toMatchObject([
      {
        ...plain,
        content: ' I prefer tea.\n',
        content_type: 'text',
        metadata: { role: 'user', speaker: 'Ana' },
        occurred_at: '2024-05-01T06:00:00.000Z',
        created_at: now,
      },
      { ...plain, content: `Noted ${smile}`, occurred_at: null, created_at: now },
      { ...plain, metadata: { role: 'r'.repeat(50), speaker: 'n'.repeat(255) } },
    ]);
    expect(memories[1]?.metadata).toEqual({ role: 'assistant' });
    expect(await listSessionMemories(client, id)).toEqual(memories);
    for (const memory of memories) {
      expect(await client.memories.get({ params: { id: memory.id } })).toEqual(memory);
    }
  });

  it('raises both counters and last_active_at; deleting lowers memory_count alone', async () => {
    const client = await fresh();
    const session = await createSession(client);
    const { id } = session;
    clock.advance(minuteMs);
    const last_active_at = clock.now().toISOString();
    const [first] = await say(client, id, ['a', 'b', 'c']);
    const counted = { message_count: 3, memory_count: 3, last_active_at };
    expect(await getSession(client, id)).toEqual({ ...session, ...counted });
    await client.memories.remove({ params: { id: first?.id ?? '' } });
    expect(await getSession(client, id)).toEqual({ ...session, ...counted, memory_count: 2 });
  });

  it('takes the same words twice, in one request, in two, and as a memory beside', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const made = [...(await say(client, id, ['yes', 'yes'])), ...(await say(client, id, ['yes']))];
    await client.memories.create({ body: { content: 'yes' } });
    made.push(...(await say(client, id, ['yes'])));
    expect(new Set(idsOf(made)).size).toBe(4);
    expect(await listSessionContents(client, id)).toEqual(['yes', 'yes', 'yes', 'yes']);
    const params = { id: made[0]?.id ?? '' };
    await client.memories.update({ params, body: { content: 'no' } });
    await client.memories.update({ params, body: { content: 'yes', session_id: null } });
    await client.memories.remove({ params, query: { soft: true } });
    await client.memories.restore({ params });
    expect((await getSession(client, id)).memory_count).toBe(3);
  });

  it('takes from 1 to 100 messages', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ role: 'user', content: `line ${i}` }));
    const refused = { error: { details: { fields: { messages: { code: 'invalid_range' } } } } };
    for (const count of [0, 101]) {
      expect(await post(client, id, many(count))).toMatchObject({ status: 422, body: refused });
    }
    expect((await post(client, id, many(100))).status).toBe(201);
    expect(await listSessionContents(client, id)).toEqual(many(100).map(({ content }) => content));
    expect(await getSession(client, id)).toMatchObject({ message_count: 100, memory_count: 100 });
  });

  it('tells every faulty field of every message, and stores none', async () => {
    const client = await fresh();
    const session = await createSession(client);
    const answer = await post(client, session.id, [
      { role: 'user', content: 'fine' },
      { content: 'no role' },
      { role: '', content: '' },
      { role: 'r'.repeat(51), name: 'n'.repeat(256), content: 5 },
      { role: 'user', content: 'a\u0000', created_at: 'yesterday', mood: 'good' },
      'hello',
    ]);
    expect(answer.status).toBe(422);
    const { error } = answer.body as { error: { details: { fields: Record<string, object> } } };
    const codes = Object.entries(error.details.fields).map(([field, fault]) => [
      field,
      (fault as { code: string }).code,
    ]);
    expect(Object.fromEntries(codes)).toEqual({
      'messages.1.role': 'required',
      'messages.2.role': 'invalid_range',
      'messages.2.content': 'invalid_range',
      'messages.3.role': 'field_too_long',
      'messages.3.name': 'field_too_long',
      'messages.3.content': 'invalid_type',
      'messages.4.content': 'invalid_characters',
      'messages.4.created_at': 'invalid_format',
      'messages.4.mood': 'unknown_field',
      'messages.5': 'invalid_type',
    });
    expect(await getSession(client, session.id)).toEqual(session);
  });

  it('stores none when one is over the limit of the plan, and says which', async () => {
    const client = await fresh('pro');
    const session = await createSession(client);
    const call = say(client, session.id, ['fine', 'x'.repeat(32_769), 'fine too']);
    const { status, code, details } = await expectError(call);
    expect([status, code]).toEqual([422, 'content_too_large']);
    expect(details).toEqual({ max_bytes: 32_768, received_bytes: 32_769, index: 1 });
    expect(await getSession(client, session.id)).toEqual(session);
    expect(await listSessionMemories(client, session.id)).toEqual([]);
    expect(await usageOf(client)).toMatchObject({ memories: 0 });
    expect(await say(client, session.id, ['x'.repeat(32_768)])).toHaveLength(1);
  });

  it('stores none when there is no room for all, says which, and gives the room back', async () => {
    const client = await fresh();
    await client.account.update({ body: { settings: { daily_memory_limit: 3 } } });
    const session = await createSession(client);
    const answer = await post(
      client,
      session.id,
      ['1', '2', '3', '4', '5'].map((content) => ({ role: 'user', content })),
    );
    expect(answer).toMatchObject({
      status: 429,
      body: { error: { code: 'daily_limit_exceeded', details: { index: 3, limit: 3 } } },
    });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await getSession(client, session.id)).toEqual(session);
    expect(await listSessionMemories(client, session.id)).toEqual([]);
    expect(await listEvents(client)).toEqual([]);
    expect(await say(client, session.id, ['1', '2', '3'])).toHaveLength(3);
    expect((await expectError(say(client, session.id, ['4']))).code).toBe('daily_limit_exceeded');
    expect(await getSession(client, session.id)).toMatchObject({
      message_count: 3,
      memory_count: 3,
    });
  });

  it.each([
    ['memories', 'total', 1_000, 403],
    ['embeddings', '2026-03', 5_000, 429],
  ])("hold to the plan's %s, and the error says what the plan allows", async (...given) => {
    const [metric, period, cap, status] = given;
    const { id: accountId, client } = await service.createAccount('free');
    const session = await createSession(client);
    await setUsage(service, { accountId, metric, period }, cap - 1);
    const answer = await post(client, session.id, [
      { role: 'user', content: 'fits' },
      { role: 'user', content: 'does not' },
    ]);
    const { error } = answer.body as { error: { message: string; details: object } };
    expect(answer).toMatchObject({ status, body: { error: { code: 'quota_exceeded' } } });
    expect(error.message).toContain(`The plan allows ${cap} ${metric}`);
    expect(error.details).toMatchObject({ index: 1, limit: cap });
    expect(await getSession(client, session.id)).toEqual(session);
    expect(await say(client, session.id, ['fits'])).toHaveLength(1);
  });

  it("belong to their session's space, which may not be named otherwise", async () => {
    const client = await fresh();
    const space = await client.spaces.create({ body: { name: 'talks' } });
    const { id } = await createSession(client, { space_id: space.id });
    const [memory] = await say(client, id, ['the quokka sleeps']);
    expect(memory?.space_id).toBe(space.id);
    const query = { space_id: space.id, session_id: id };
    expect(idsOf((await client.memories.list({ query })).data)).toEqual([memory?.id]);
    const found = await client.search.get({ query: { q: 'quokka', space_id: space.id } });
    expect(found.results.map((one) => one.id)).toEqual([memory?.id]);
    const named = await post(client, id, [{ role: 'user', content: 'x', space_id: null }]);
    expect(named.status).toBe(422);
  });

  it('are found by search as soon as the 201 is there', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const [one, two] = await say(client, id, ['The zeppelin lands at noon.', 'Marzipan is sweet.']);
    expect((await searchIds(client, 'zeppelin'))[0]).toBe(one?.id);
    expect((await searchIds(client, 'marzipan'))[0]).toBe(two?.id);
    const listed = (await client.memories.list({ query: { session_id: id } })).data;
    expect(idsOf(listed).toSorted()).toEqual([one?.id, two?.id].toSorted());
  });

  it('tell of each as memory.created in order, and of all as one bulk', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const memories = await say(client, id, ['a', 'a', 'b']);
    const created = await listEvents(client, 'memory.created');
    expect(created.map(({ data }) => data)).toEqual(memories);
    expect((await listEvents(client, 'memory.bulk_created')).map(({ data }) => data)).toEqual([
      { ids: idsOf(memories), count: 3 },
    ]);
  });

  it('have one effect for one Idempotency-Key', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    const messages = [{ role: 'user', content: 'once' }];
    const headers = { 'idempotency-key': 'said once' };
    const first = await post(client, id, messages, headers);
    const again = await post(client, id, messages, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await getSession(client, id)).toMatchObject({ message_count: 1, memory_count: 1 });
  });

  it('keep the order of each request together when several talk at once', async () => {
    const client = await fresh();
    const { id } = await createSession(client);
    await Promise.all(
      Array.from({ length: 6 }, (_, lane) =>
        say(
          client,
          id,
          [1, 2, 3].map((n) => `${lane} ${n}`),
        ),
      ),
    );
    const contents = await listSessionContents(client, id);
    expect(contents).toHaveLength(18);
    for (let i = 0; i < 18; i += 3) {
      const lane = contents[i]?.split(' ')[0];
      expect(contents.slice(i, i + 3)).toEqual([1, 2, 3].map((n) => `${lane} ${n}`));
    }
    expect((await getSession(client, id)).message_count).toBe(18);
  });
});
