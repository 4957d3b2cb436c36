import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createHandClock } from '../../support/hand-clock.ts';
import { makePlace, startProcess } from '../../support/process.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { newKey } from '../limits/surroundings.ts';
import { idsOf, store } from '../memories/asking.ts';
import { find, only, pathsOf, rowsOf } from './finding.ts';

describe.each(engines)('What is found with a session key on %s', (engine) => {
  let service: Service;
  const clock = createHandClock();
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
    const { client } = await service.account();
    const { id } = await store(client, 'Ana drinks tea.');
    const keys = ['k', ' ', '🦊'.repeat(128), 'a\nb "c" \u202eתה', '%2F&session=x'];
    for (const key of keys) {
      expect((await client.request(ask(key))).status).toBe(200);
      expect(await only(client, key)).toMatchObject({ session_key: key, memory_ids: [id] });
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
    const { client } = await service.account();
    const tea = await store(client, 'Tea is hot.');
    const sea = await store(client, 'The sea is cold.');
    const fog = await store(client, 'Fog is grey.');
    expect(await find(client, 'k', '"the sea"')).toEqual([sea.id]);
    const first = await only(client, 'k');
    expect(first).toMatchObject({
      memory_ids: [sea.id],
      memory_count: 1,
      is_closed: false,
      last_activity_at: first.started_at,
    });
    clock.advance(1_000);
    await find(client, 'k', '"fog is"');
    await client.search.post({ body: { q: '"the sea"', session: 'k' } });
    await client.search.recall({ body: { query: '"tea is"', session: 'k' } });
    await find(client, 'k', '"the sea"');
    const later = await only(client, 'k');
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
    const { client } = await service.account();
    for (let i = 0; i < 4; i += 1) await store(client, `Harbour ${i} has a crane.`);
    const query = { q: 'harbour crane', session: 'k', limit: 2 };
    const { results } = await client.search.get({ query: { ...query, offset: 1 } });
    expect((await only(client, 'k')).memory_ids).toEqual(idsOf(results as never));
    const body = { query: 'harbour crane', session: 'recalled', max_memories: 1 };
    const { memories } = await client.search.recall({ body });
    expect(memories).toHaveLength(1);
    expect((await only(client, 'recalled')).memory_ids).toEqual(idsOf(memories));
  });

  it('may be nothing: the session is opened, and used, all the same', async () => {
    const { client } = await service.account();
    expect(await find(client, 'k', 'nothing there')).toEqual([]);
    const opened = await only(client, 'k');
    expect(opened).toMatchObject({ memory_ids: [], memory_count: 0, is_closed: false });
    clock.advance(5_000);
    await client.search.recall({ body: { query: 'nothing there', session: 'k' } });
    const used = await only(client, 'k');
    expect(used.id).toBe(opened.id);
    expect(Date.parse(used.last_activity_at)).toBeGreaterThan(Date.parse(opened.last_activity_at));
  });

  it('is in no session without a key, and for a refused search', async () => {
    const { client } = await service.account();
    await store(client, 'Ana drinks tea.');
    await client.search.get({ query: { q: 'tea' } });
    await client.search.recall({ body: { query: 'tea' } });
    const space_id = '019b8d1c-0000-7000-8000-00000000dead';
    await client.search.get({ query: { q: 'tea', session: 'k', space_id } }).catch(() => undefined);
    expect((await client.sessions.list()).data).toEqual([]);
  });

  it('is shared by the keys of an account, the first of them named', async () => {
    const mine = await service.account();
    const second = await newKey(service, mine.id);
    const other = await service.account();
    const tea = await store(mine.client, 'Ana drinks tea.');
    const sea = await store(mine.client, 'The sea is cold.');
    const theirs = await store(other.client, 'Ana drinks tea.');
    await find(second.client, 'shared', '"drinks tea"');
    await find(mine.client, 'shared', '"the sea"');
    await find(other.client, 'shared', '"drinks tea"');
    const [session, seen, foreign] = [
      await only(mine.client, 'shared'),
      await only(second.client, 'shared'),
      await only(other.client, 'shared'),
    ];
    expect(session).toEqual(seen);
    expect(session).toMatchObject({ api_key_id: second.id, memory_ids: [tea.id, sea.id] });
    expect(foreign.memory_ids).toEqual([theirs.id]);
    expect(foreign.id).not.toBe(session.id);
  });

  it('is seen by every read right after the answer', async () => {
    const { client } = await service.account();
    const words = ['anchor', 'basket', 'candle', 'drawer', 'engine', 'feather', 'garden'];
    const made: string[] = [];
    for (const word of words) made.push((await store(client, `A ${word} of oak.`)).id);
    await find(client, 'k', 'anchor');
    const { id } = await only(client, 'k');
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
      await find(client, 'k', `"${words[i + 1]} of"`);
      expect(await read()).toBe(i + 2);
    }
    expect((await only(client, 'k')).memory_ids).toEqual(made);
  });

  it('is all there after many searches at the same time', async () => {
    const { client } = await service.account();
    const words = ['anchor', 'basket', 'candle', 'drawer'];
    for (const word of words) await store(client, `A ${word} of oak.`);
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => find(client, `k${i % 2}`, `"${words[i % 4]} of"`)),
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
    const { client, id } = await service.account();
    await store(client, 'Ana drinks tea.');
    await find(client, 'timed', 'tea');
    expect(await rowsOf(service, id)).toEqual([]);
    clock.advance(500);
    await eventually(
      () => rowsOf(service, id),
      (rows) => rows.length === 1,
    );
    await find(client, 'asked', 'tea');
    expect(await rowsOf(service, id)).toHaveLength(1);
    await client.sessions.active();
    expect(await rowsOf(service, id)).toHaveLength(2);
  });

  it('is kept by a graceful stop', async () => {
    const place = await makePlace(engine);
    try {
      const env = { MNEME_LOG_LEVEL: 'info' };
      let memoryId = '';
      {
        await using server = await startProcess(place, { env });
        memoryId = (await store(server.client(), 'Ana drinks tea.')).id;
        await find(server.client(), 'k', 'tea');
        expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
      }
      await using server = await startProcess(place, { env });
      expect((await only(server.client(), 'k')).memory_ids).toEqual([memoryId]);
    } finally {
      await place.remove();
    }
  });

  it('is refused to a key without sessions:read, and recorded all the same', async () => {
    const { client } = await service.account();
    await store(client, 'Ana drinks tea.');
    const body = { name: 'searches', scopes: ['search:read' as const] };
    const searching = service.client((await client.keys.create({ body })).key);
    await find(searching, 'k', 'tea');
    const { id } = await only(client, 'k');
    for (const path of ['/sessions', '/sessions/active', ...pathsOf(id)]) {
      const { status, body: refused } = await searching.request({ method: 'GET', path });
      expect(status).toBe(403);
      expect(refused).toMatchObject({ error: { code: 'insufficient_permissions' } });
    }
  });
});
