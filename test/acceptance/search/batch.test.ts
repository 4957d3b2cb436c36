import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { onlySessionOfKey, sessionsOfKey } from '../activation/session-requests.ts';
import { advanceToNextMonth, monthOf, readUsage, setUsage } from '../limits/usage-and-windows.ts';
import { idsOf, listEvents } from '../memories/memory-requests.ts';

const nobody = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';

describe.each(engines)('POST /search/batch on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const batch = async (client: Client, queries: readonly unknown[], more: object = {}) =>
    (await client.search.batch({ body: { queries: queries as never, ...more } })).results;

  /** The answer in one word for each query: how many it found, or the code of its error. */
  const told = async (client: Client, queries: readonly unknown[]): Promise<unknown[]> =>
    (await batch(client, queries)).map((one) =>
      'error' in one ? one.error.code : one.results.length,
    );

  async function withDrinks() {
    const account = await service.createAccount();
    const words = ['tea', 'coffee', 'cocoa'];
    const memories = words.map((word, i) => ({
      content: `Ana drinks ${word}.`,
      tags: [word],
      priority: i,
    }));
    await account.client.memories.bulkCreate({ body: { memories } });
    return account;
  }

  it('answers each query as POST /search does, in the order of the queries', async () => {
    const { client } = await withDrinks();
    const queries = [
      { q: 'tea' },
      { q: 'what does Ana drink?', limit: 2, offset: 1 },
      { q: 'drinks', tags: ['cocoa'], explain: true },
      { q: 'tea', threshold: 1 },
      { q: 'Ana drinks', pipeline: 'precise', include: ['memories' as const] },
      { q: 'Ana drinks', include: ['audio' as const] },
      { q: 'Ana -tea', min_priority: 1, include_superseded: false },
    ];
    const results = await batch(client, queries);
    expect(results).toHaveLength(queries.length);
    for (const [i, body] of queries.entries()) {
      const { data: _, ...single } = await client.search.post({ body });
      expect(results[i]).toEqual({ query: body.q, ...single });
    }
  });

  it('takes twenty queries, the same one among them more than once', async () => {
    const { client } = await withDrinks();
    const drinks = Array.from({ length: 20 }, (_, i) => ['tea', 'cocoa', 'coffee'][i % 3]);
    const results = await batch(
      client,
      drinks.map((drink) => ({ q: `"drinks ${drink}"` })),
    );
    expect(results).toHaveLength(20);
    for (const [i, one] of results.entries()) {
      const found = { content: `Ana drinks ${drinks[i]}.` };
      expect(one).toMatchObject({ query: `"drinks ${drinks[i]}"`, results: [found] });
    }
  });

  it('tells what is wrong with a query in its place, and answers the others', async () => {
    const { client } = await withDrinks();
    const results = await batch(client, [
      { q: '"tea"' },
      { q: 'tea', limit: 0, pipeline: 'turbo', speling: 1 },
      {},
      { q: 'tea', space_id: nobody },
      { q: 'tea', pipeline: 'turbo' },
      'tea',
      null,
      { q: 7 },
      { q: 'x'.repeat(1_001) },
      { q: 'cocoa', limit: 1 },
    ]);
    const faulty = (query: string | null, fields: Record<string, string>) => ({
      query,
      error: {
        code: 'validation_error',
        message: expect.any(String),
        details: {
          fields: Object.fromEntries(
            Object.entries(fields).map(([name, code]) => [name, expect.objectContaining({ code })]),
          ),
        },
      },
    });
    expect(results.slice(1, -1)).toEqual([
      faulty('tea', {
        limit: 'invalid_range',
        pipeline: 'invalid_enum_value',
        speling: 'unknown_field',
      }),
      faulty(null, { q: 'required' }),
      { query: 'tea', error: { code: 'space_not_found', message: expect.any(String) } },
      faulty('tea', { pipeline: 'invalid_enum_value' }),
      faulty(null, { body: 'invalid_type' }),
      faulty(null, { body: 'invalid_type' }),
      faulty(null, { q: 'invalid_type' }),
      faulty(null, { q: 'field_too_long' }),
    ]);
    expect(results[0]).toMatchObject({ query: '"tea"', facets: { memories: 1 } });
    expect(results.at(-1)).toMatchObject({ query: 'cocoa', results: [{ tags: ['cocoa'] }] });
  });

  it.each([
    ['queries are missing', {}, 'queries', 'required'],
    ['queries are none', { queries: [] }, 'queries', 'invalid_range'],
    ['queries are 21', { queries: Array(21).fill({ q: 'x' }) }, 'queries', 'invalid_range'],
    ['queries are no list', { queries: { q: 'x' } }, 'queries', 'invalid_type'],
    ['a field is unknown', { queries: [{ q: 'x' }], limit: 5 }, 'limit', 'unknown_field'],
    ['session is empty', { queries: [{ q: 'x' }], session: '' }, 'session', 'invalid_range'],
  ])('refuses as a whole with the field and its code when %s', async (_when, body, field, code) => {
    const answer = await service.client().request({ method: 'POST', path: '/search/batch', body });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { code: 'validation_error', details: { fields: { [field]: { code } } } } },
    });
  });

  it('a key of one space finds nothing beyond it, and is refused one that it names', async () => {
    const { client } = await withDrinks();
    const { id } = await client.spaces.create({ body: { name: 'own' } });
    await client.memories.create({ body: { content: 'Ben drinks tea.', space_id: id } });
    const body = { name: 'limited', space_ids: [id] };
    const limited = service.client((await client.keys.create({ body })).key);
    const queries = [{ q: 'drinks' }, { q: 'drinks', space_id: null }, { q: '"Ana"' }];
    expect(await told(limited, queries)).toEqual([1, 'space_access_denied', 0]);
    expect(await told(client, queries)).toEqual([4, 3, 3]);
    expect((await batch(limited, [{ q: 'drinks' }]))[0]).toMatchObject({ facets: { memories: 1 } });
  });

  it('another account finds nothing of it', async () => {
    await withDrinks();
    const { client } = await service.createAccount();
    expect(await told(client, [{ q: 'Ana drinks tea.' }])).toEqual([0]);
  });

  it('feeds the session of each query, else that of the whole', async () => {
    const { client } = await withDrinks();
    const results = await batch(
      client,
      [{ q: '"drinks tea"' }, { q: '"drinks coffee"', session: 'mine' }, { q: '"drinks cocoa"' }],
      { session: 'shared' },
    );
    const [tea, coffee, cocoa] = results.flatMap((one) => ('error' in one ? [] : one.results));
    const shared = await onlySessionOfKey(client, 'shared');
    expect(new Set(shared.memory_ids)).toEqual(new Set([tea?.id, cocoa?.id]));
    expect((await onlySessionOfKey(client, 'mine')).memory_ids).toEqual([coffee?.id]);
    await batch(client, [{ q: 'tea' }]);
    expect((await client.sessions.list()).pagination.total).toBe(2);
  });

  it('a query that is refused opens no session', async () => {
    const { client } = await withDrinks();
    await batch(
      client,
      [
        { q: 'tea', limit: 0, session: 'a' },
        { q: 'x', space_id: nobody },
      ],
      {
        session: 'b',
      },
    );
    expect([...(await sessionsOfKey(client, 'a')), ...(await sessionsOfKey(client, 'b'))]).toEqual(
      [],
    );
  });

  it('tells memory.accessed once for each query that found something', async () => {
    const { client } = await withDrinks();
    const results = await batch(client, [
      { q: '"tea"' },
      { q: '"nothing there"' },
      { q: '"cocoa"' },
      {},
    ]);
    clock.advance(500);
    const found = results.flatMap((one) => ('error' in one ? [] : [idsOf(one.results as never)]));
    const accessed = async () =>
      (await listEvents(client, 'memory.accessed')).map(
        ({ data }) => (data as { ids: string[] }).ids,
      );
    const events = await eventually(accessed, (lists) => lists.length > 1);
    const told = events.map((ids) => ids.join());
    expect(told.sort()).toEqual([found[0]?.join(), found[2]?.join()].sort());
  });

  describe('and the searches of a month', () => {
    async function withSearches(left: number) {
      advanceToNextMonth(clock);
      const account = await service.createAccount('free');
      const counter = {
        accountId: account.id,
        metric: 'searches',
        period: monthOf(clock.now()),
      };
      await setUsage(service, counter, 5_000 - left);
      return { ...account, used: () => readUsage(service, counter) };
    }

    it('each query that runs counts one, a faulty one none', async () => {
      const { client, used } = await withSearches(10);
      await batch(client, [{ q: 'a' }, {}, { q: 'b' }, { q: 'c', space_id: nobody }, { q: 'd' }]);
      expect(await used()).toBe(4_993);
    });

    it('as many run as are left, in order; the others are refused in their places', async () => {
      const { client, used } = await withSearches(2);
      const queries = [{ q: 'a' }, {}, { q: 'b' }, { q: 'c' }, { q: 'd' }];
      expect(await told(client, queries)).toEqual([
        0,
        'validation_error',
        0,
        'quota_exceeded',
        'quota_exceeded',
      ]);
      expect(await used()).toBe(5_000);
    });

    it('when none is left the whole is 429 with the time to wait', async () => {
      const { client, used } = await withSearches(0);
      const body = { queries: [{ q: 'a' }, {}] };
      const refused = await client.request({ method: 'POST', path: '/search/batch', body });
      expect(refused).toMatchObject({
        status: 429,
        body: { error: { code: 'quota_exceeded', details: { quota: 'searches_per_month' } } },
      });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await used()).toBe(5_000);
      expect(await told(client, [{}])).toEqual(['validation_error']);
    });
  });
});
