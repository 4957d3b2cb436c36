import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createKeyFor } from '../limits/usage-and-windows.ts';
import { createMemory, idsOf } from '../memories/memory-requests.ts';
import {
  onlySessionOfKey,
  readSessionRows,
  searchWithSession,
  sessionReadPaths,
} from './session-requests.ts';

describe.each(engines)('What is found with a session key on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const countsOf = async (client: Client, id: string) =>
    Object.fromEntries(
      (await client.sessions.report({ params: { id } })).memories.map((memory) => [
        memory.content,
        memory.access_count,
      ]),
    );

  it.each([
    [
      'GET /search',
      (session: string) => ({
        method: 'GET',
        path: `/search?q=tea&session=${encodeURIComponent(session)}`,
      }),
    ],
    [
      'POST /search',
      (session: string) => ({ method: 'POST', path: '/search', body: { q: 'tea', session } }),
    ],
    [
      'POST /recall',
      (session: string) => ({ method: 'POST', path: '/recall', body: { query: 'tea', session } }),
    ],
  ])('%s takes a key of 1 to 128 Unicode characters and refuses any other', async (_name, ask) => {
    const { client } = await service.createAccount();
    const { id } = await createMemory(client, 'Ana drinks tea.');
    const keys = ['k', ' ', '🦊'.repeat(128), 'a\nb "c" \u202eתה', '%2F&session=x'];
    for (const key of keys) {
      expect((await client.request(ask(key))).status).toBe(200);
      expect(await onlySessionOfKey(client, key)).toMatchObject({
        session_key: key,
        memory_ids: [id],
      });
    }
    for (const [key, code] of [
      ['', 'invalid_range'],
      ['🦊'.repeat(129), 'field_too_long'],
      ['x\0', 'invalid_characters'],
    ] as const) {
      const { status, body } = await client.request(ask(key));
      expect(status).toBe(422);
      expect(body).toMatchObject({
        error: { code: 'validation_error', details: { fields: { session: { code } } } },
      });
    }
    const { pagination } = await client.sessions.list();
    expect(pagination.total).toBe(keys.length);
  });

  it('is added once, in the order of first access, and counted at each access', async () => {
    const { client } = await service.createAccount();
    const tea = await createMemory(client, 'Tea is hot.');
    const sea = await createMemory(client, 'The sea is cold.');
    const fog = await createMemory(client, 'Fog is grey.');
    expect(await searchWithSession(client, 'k', '"the sea"')).toEqual([sea.id]);
    const first = await onlySessionOfKey(client, 'k');
    expect(first).toMatchObject({
      memory_ids: [sea.id],
      memory_count: 1,
      is_closed: false,
      last_activity_at: first.started_at,
    });
    clock.advance(1_000);
    await searchWithSession(client, 'k', '"fog is"');
    await client.search.post({ body: { q: '"the sea"', session: 'k' } });
    await client.search.recall({ body: { query: '"tea is"', session: 'k' } });
    await searchWithSession(client, 'k', '"the sea"');
    const later = await onlySessionOfKey(client, 'k');
    expect(later).toMatchObject({ id: first.id, started_at: first.started_at });
    expect(later.memory_ids).toEqual([sea.id, fog.id, tea.id]);
    expect(later.memory_count).toBe(3);
    const movedMs = Date.parse(later.last_activity_at) - Date.parse(first.last_activity_at);
    expect(movedMs).toBeGreaterThanOrEqual(1_000);
    const { data } = await client.sessions.memories({ params: { id: first.id } });
    expect(idsOf(data)).toEqual([sea.id, fog.id, tea.id]);
    expect(await countsOf(client, first.id)).toEqual({
      'Tea is hot.': 1,
      'The sea is cold.': 3,
      'Fog is grey.': 1,
    });
  });

  it('is what the answer held: neither other pages, nor what was left out', async () => {
    const { client } = await service.createAccount();
    for (let i = 0; i < 4; i += 1) await createMemory(client, `Harbour ${i} has a crane.`);
    const query = { q: 'harbour crane', session: 'k', limit: 2 };
    const { results } = await client.search.get({ query: { ...query, offset: 1 } });
    expect((await onlySessionOfKey(client, 'k')).memory_ids).toEqual(idsOf(results as never));
    const body = { query: 'harbour crane', session: 'recalled', max_memories: 1 };
    const { memories } = await client.search.recall({ body });
    expect(memories).toHaveLength(1);
    expect((await onlySessionOfKey(client, 'recalled')).memory_ids).toEqual(idsOf(memories));
  });

  it('may be nothing: the session is opened, and used, all the same', async () => {
    const { client } = await service.createAccount();
    expect(await searchWithSession(client, 'k', 'nothing there')).toEqual([]);
    const opened = await onlySessionOfKey(client, 'k');
    expect(opened).toMatchObject({ memory_ids: [], memory_count: 0, is_closed: false });
    clock.advance(5_000);
    await client.search.recall({ body: { query: 'nothing there', session: 'k' } });
    const used = await onlySessionOfKey(client, 'k');
    expect(used.id).toBe(opened.id);
    expect(Date.parse(used.last_activity_at)).toBeGreaterThan(Date.parse(opened.last_activity_at));
  });

  it('is in no session without a key, and for a refused search', async () => {
    const { client } = await service.createAccount();
    await createMemory(client, 'Ana drinks tea.');
    await client.search.get({ query: { q: 'tea' } });
    await client.search.recall({ body: { query: 'tea' } });
    const space_id = '019b8d1c-0000-7000-8000-00000000dead';
    await client.search.get({ query: { q: 'tea', session: 'k', space_id } }).catch(() => undefined);
    expect((await client.sessions.list()).data).toEqual([]);
  });

  it('is shared by the keys of an account, the first of them named', async () => {
    const mine = await service.createAccount();
    const second = await createKeyFor(service, mine.id);
    const other = await service.createAccount();
    const tea = await createMemory(mine.client, 'Ana drinks tea.');
    const sea = await createMemory(mine.client, 'The sea is cold.');
    const theirs = await createMemory(other.client, 'Ana drinks tea.');
    await searchWithSession(second.client, 'shared', '"drinks tea"');
    await searchWithSession(mine.client, 'shared', '"the sea"');
    await searchWithSession(other.client, 'shared', '"drinks tea"');
    const [session, seen, foreign] = [
      await onlySessionOfKey(mine.client, 'shared'),
      await onlySessionOfKey(second.client, 'shared'),
      await onlySessionOfKey(other.client, 'shared'),
    ];
    expect(session).toEqual(seen);
    expect(session).toMatchObject({ api_key_id: second.id, memory_ids: [tea.id, sea.id] });
    expect(foreign.memory_ids).toEqual([theirs.id]);
    expect(foreign.id).not.toBe(session.id);
  });

  it('is seen by every read right after the answer', async () => {
    const { client } = await service.createAccount();
    const words = ['anchor', 'basket', 'candle', 'drawer', 'engine', 'feather', 'garden'];
    const made: string[] = [];
    for (const word of words) made.push((await createMemory(client, `A ${word} of oak.`)).id);
    await searchWithSession(client, 'k', 'anchor');
    const { id } = await onlySessionOfKey(client, 'k');
    const params = { id };
    const reads = [
      async () => (await client.sessions.list()).data[0]?.memory_count,
      async () => (await client.sessions.active()).data[0]?.memory_count,
      async () => (await client.sessions.get({ params })).memory_ids.length,
      async () => (await client.sessions.memories({ params })).data.length,
      async () => (await client.sessions.report({ params })).memories.length,
      async () =>
        (await client.sessions.export({ params, query: { format: 'json' } })).memories.length,
    ];
    for (const [i, read] of reads.entries()) {
      await searchWithSession(client, 'k', `"${words[i + 1]} of"`);
      expect(await read()).toBe(i + 2);
    }
    expect((await onlySessionOfKey(client, 'k')).memory_ids).toEqual(made);
  });

  it('is all there after many searches at the same time', async () => {
    const { client } = await service.createAccount();
    const words = ['anchor', 'basket', 'candle', 'drawer'];
    for (const word of words) await createMemory(client, `A ${word} of oak.`);
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        searchWithSession(client, `k${i % 2}`, `"${words[i % 4]} of"`),
      ),
    );
    const { data } = await client.sessions.list();
    expect(data.map(({ session_key }) => session_key).toSorted()).toEqual(['k0', 'k1']);
    const ids = new Map(data.map(({ id, session_key }) => [session_key, id]));
    expect(await countsOf(client, ids.get('k0') ?? '')).toEqual({
      'A anchor of oak.': 10,
      'A candle of oak.': 10,
    });
    expect(await countsOf(client, ids.get('k1') ?? '')).toEqual({
      'A basket of oak.': 10,
      'A drawer of oak.': 10,
    });
  });

  it('is written after the answer: half a second later, or when a reader asks', async () => {
    const { client, id } = await service.createAccount();
    await createMemory(client, 'Ana drinks tea.');
    await searchWithSession(client, 'timed', 'tea');
    expect(await readSessionRows(service, id)).toEqual([]);
    clock.advance(500);
    await eventually(
      () => readSessionRows(service, id),
      (rows) => rows.length === 1,
    );
    await searchWithSession(client, 'asked', 'tea');
    expect(await readSessionRows(service, id)).toHaveLength(1);
    await client.sessions.active();
    expect(await readSessionRows(service, id)).toHaveLength(2);
  });

  it('is kept by a graceful stop', async () => {
    const place = await createDataLocation(engine);
    try {
      const env = { MNEME_LOG_LEVEL: 'info' };
      let memoryId = '';
      {
        await using server = await startServerProcess(place, { env });
        memoryId = (await createMemory(server.client(), 'Ana drinks tea.')).id;
        await searchWithSession(server.client(), 'k', 'tea');
        expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
      }
      await using server = await startServerProcess(place, { env });
      expect((await onlySessionOfKey(server.client(), 'k')).memory_ids).toEqual([memoryId]);
    } finally {
      await place.remove();
    }
  });

  it('is refused to a key without sessions:read, and recorded all the same', async () => {
    const { client } = await service.createAccount();
    await createMemory(client, 'Ana drinks tea.');
    const body = { name: 'searches', scopes: ['search:read' as const] };
    const searching = service.client((await client.keys.create({ body })).key);
    await searchWithSession(searching, 'k', 'tea');
    const { id } = await onlySessionOfKey(client, 'k');
    for (const path of ['/sessions', '/sessions/active', ...sessionReadPaths(id)]) {
      const { status, body: refused } = await searching.request({ method: 'GET', path });
      expect(status).toBe(403);
      expect(refused).toMatchObject({ error: { code: 'insufficient_permissions' } });
    }
  });
});
