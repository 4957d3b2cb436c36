import type { SearchResult } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryGroupingRegistry } from '../../../packages/server/src/domains/search/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { onlySessionOfKey } from '../activation/session-requests.ts';
import {
  advanceToNextMonth,
  getRequest,
  monthOf,
  readUsage,
  setUsage,
} from '../limits/usage-and-windows.ts';
import { absentId, createMemory, expectError, listEvents } from '../memories/memory-requests.ts';

type Ask = Parameters<Client['search']['aggregate']>[0]['query'];
type Found = SearchResult;

describe.each(engines)('GET /search/aggregate on %s', (engine) => {
  let service: Service;
  const clock = createFakeClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const aggregate = (client: Client, query: Ask) => client.search.aggregate({ query });
  /** Key and count of each group, in their order. */
  const counts = async (client: Client, query: Omit<Ask, 'query' | 'threshold'>) =>
    (await aggregate(client, { query: 'harbour', threshold: 0, ...query })).groups.map(
      ({ key, count }) => [key, count],
    );

  /** Memories about one harbour, each in words of its own. */
  async function harbour(more: readonly object[], account = service.createAccount()) {
    const { client, id } = await account;
    const memories = more.map((fields, i) => ({
      content: `The harbour has ${i + 1} cranes${', and more'.repeat(i % 7)}.`,
      ...fields,
    }));
    for (let from = 0; from < memories.length; from += 100) {
      const some = memories.slice(from, from + 100);
      const { failed } = await client.memories.bulkCreate({ body: { memories: some } });
      expect(failed).toEqual([]);
    }
    return { client, accountId: id };
  }

  const varied = Array.from({ length: 40 }, (_, i) => ({
    tags: [['ship', 'crane'], ['ship'], [], ['crane', 'tide', 'crane']][i % 4],
    priority: i % 3,
    type: (['text', 'markdown', 'url'] as const)[i % 5 === 0 ? 1 : i % 7 === 0 ? 2 : 0],
    occurred_at: new Date(Date.UTC(2025, 11, 20 + i)).toISOString(),
  }));

  const monday = (day: Date): Date =>
    new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000);
  const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
  const keysOf: Record<string, (found: Found) => string[]> = {
    tags: ({ tags }) => [...new Set(tags)],
    content_type: ({ content_type }) => [content_type],
    priority: ({ priority }) => [String(priority)],
    day: ({ occurred_at }) => [occurred_at?.slice(0, 10) ?? ''],
    week: ({ occurred_at }) => [dayOf(monday(new Date(occurred_at?.slice(0, 10) ?? '')))],
    month: ({ occurred_at }) => [`${occurred_at?.slice(0, 7)}-01`],
  };

  it.each([
    ['tags', {}],
    ['content_type', {}],
    ['priority', {}],
    ['time_bucket', { bucket_size: 'day' }],
    ['time_bucket', { bucket_size: 'week' }],
    ['time_bucket', { bucket_size: 'month' }],
  ] as const)('by %s %j it counts just what a search finds', async (group_by, size) => {
    const { client } = await harbour(varied);
    const query = 'cranes of the harbour';
    for (const threshold of [0, 0.7, 0.75, 0.8]) {
      const body = { q: query, limit: 100, threshold };
      const { results } = await client.search.post({ body });
      const expected = new Map<string, Found[]>();
      const keys = keysOf['bucket_size' in size ? size.bucket_size : group_by];
      for (const one of onlyMemoryResults(results)) {
        for (const key of keys?.(one) ?? []) expected.set(key, [...(expected.get(key) ?? []), one]);
      }
      const groups = [...expected]
        .toSorted(([a, one], [b, two]) => two.length - one.length || (a < b ? -1 : 1))
        .map(([key, own]) => ({
          key,
          label: key,
          count: own.length,
          avg_score: expect.closeTo(own.reduce((sum, { score }) => sum + score, 0) / own.length),
          top: own.slice(0, 3).map(({ id, score }) => ({ id, score })),
        }));
      const total_count = results.length;
      expect(await aggregate(client, { query, threshold, group_by, limit: 100, ...size })).toEqual({
        query,
        group_by,
        total_count,
        groups,
        data: groups,
        pagination: { limit: 100, total: null, offset: null, has_more: false, next_cursor: null },
      });
      if (threshold === 0) expect(groups.length).toBeGreaterThan(1);
    }
  });

  it('counts all matches, never only the first', async () => {
    const { client } = await harbour(
      Array.from({ length: 450 }, (_, i) => ({ tags: [i < 300 ? 'early' : 'late'] })),
    );
    const query = { query: 'harbour', threshold: 0, group_by: 'tags' as const, limit: 1 };
    expect(await aggregate(client, query)).toMatchObject({
      total_count: 450,
      groups: [{ key: 'early', count: 300 }],
    });
  });

  it('shows the largest groups first, equals by key, ten unless told', async () => {
    const sizes = { b: 2, a: 2, c: 3, Z: 2, ä: 2 };
    const { client } = await harbour(
      Object.entries(sizes).flatMap(([tag, size]) => Array(size).fill({ tags: [tag] })),
    );
    const all = [
      ['c', 3],
      ['Z', 2],
      ['a', 2],
      ['b', 2],
      ['ä', 2],
    ];
    expect(await counts(client, { group_by: 'tags' })).toEqual(all);
    expect(await counts(client, { group_by: 'tags', limit: 2 })).toEqual(all.slice(0, 2));
    const many = await harbour(Array.from({ length: 30 }, (_, i) => ({ tags: [`t${i}`] })));
    expect(await counts(many.client, { group_by: 'tags' })).toHaveLength(10);
    expect(await counts(many.client, { group_by: 'tags', limit: 100 })).toHaveLength(30);
  });

  it('takes the time of creation where nothing else is known, in UTC', async () => {
    const { client } = await harbour([
      {},
      { occurred_at: '2024-03-01T00:30:00+01:00' },
      { occurred_at: '2024-02-29' },
    ]);
    const today = new Date((await client.memories.list()).data[0]?.created_at ?? '');
    const by = (bucket_size: 'day' | 'week' | 'month') =>
      counts(client, { group_by: 'time_bucket', bucket_size });
    expect(await by('day')).toEqual([
      ['2024-02-29', 2],
      [dayOf(today), 1],
    ]);
    expect(await by('week')).toEqual([
      ['2024-02-26', 2],
      [dayOf(monday(today)), 1],
    ]);
    expect(await by('month')).toEqual([
      ['2024-02-01', 2],
      [`${dayOf(today).slice(0, 7)}-01`, 1],
    ]);
  });

  it('cuts at a score of .5 unless told', async () => {
    const { client } = await harbour([{}]);
    const aside = 'in which, among very many other things, once and no more a harbour is named';
    await createMemory(client, `A long letter from a friend about a journey by train, ${aside}.`);
    const query = { query: 'The harbour has 1 cranes.', group_by: 'content_type' as const };
    const total = async (more = {}) => (await aggregate(client, { ...query, ...more })).total_count;
    expect(await total()).toBe(1);
    expect(await total({ threshold: 0.5 })).toBe(1);
    expect(await total({ threshold: 0 })).toBe(2);
  });

  it('leaves out what is deleted, softly or for good', async () => {
    const { client } = await harbour([{ tags: ['a'] }, { tags: ['a'] }, { tags: ['b'] }]);
    const { data } = await client.memories.list();
    const [b = '', a = ''] = data.map(({ id }) => id);
    await client.memories.remove({ params: { id: b } });
    await client.memories.remove({ params: { id: a }, query: { soft: true } });
    expect(await counts(client, { group_by: 'tags' })).toEqual([['a', 1]]);
    await client.memories.restore({ params: { id: a } });
    expect(await counts(client, { group_by: 'tags' })).toEqual([['a', 2]]);
  });

  it('counts only what the account has, the key may read and the space holds', async () => {
    const { client } = await harbour([{ tags: ['none'] }, { tags: ['none'] }]);
    const space = async (name: string): Promise<string> => {
      const { id } = await client.spaces.create({ body: { name } });
      await createMemory(client, 'The harbour has a lighthouse.', { space_id: id, tags: [name] });
      return id;
    };
    const [own, other] = [await space('own'), await space('other')];
    const tags = (by: Client, query = {}) => counts(by, { group_by: 'tags', ...query });
    expect(await tags(client)).toEqual([
      ['none', 2],
      ['other', 1],
      ['own', 1],
    ]);
    expect(await tags(client, { space_id: own })).toEqual([['own', 1]]);
    expect(await tags(client, { space_id: 'null' })).toEqual([['none', 2]]);
    const keyFor = async (space_ids: string[]): Promise<Client> =>
      service.client((await client.keys.create({ body: { name: 'limited', space_ids } })).key);
    const limited = await keyFor([own]);
    expect(await tags(limited)).toEqual([['own', 1]]);
    const query = { query: 'harbour', threshold: 0, group_by: 'tags' as const };
    expect((await aggregate(limited, query)).total_count).toBe(1);
    const denied = { status: 403, code: 'space_access_denied' };
    expect(await expectError(tags(limited, { space_id: other }))).toMatchObject(denied);
    expect(await expectError(tags(limited, { space_id: 'default' }))).toMatchObject(denied);
    const missing = { status: 404, code: 'space_not_found' };
    expect(await expectError(tags(client, { space_id: absentId }))).toMatchObject(missing);
    const stranger = await service.createAccount();
    expect(await tags(stranger.client)).toEqual([]);
  });

  it('by clusters it counts all that match, though no cluster is there', async () => {
    const { client } = await harbour([{}, {}]);
    expect(
      await aggregate(client, { query: 'harbour', threshold: 0, group_by: 'clusters' }),
    ).toMatchObject({ query: 'harbour', group_by: 'clusters', total_count: 2, groups: [] });
  });

  it('by clusters the id is the key and the name the label, once they are known', async () => {
    const alone = await startService(engine, { isExclusive: true });
    try {
      memoryGroupingRegistry.on(alone.running.context.app, 'clusters', async (_ctx, ids) => {
        const [first = '', ...others] = [...ids].sort();
        const port = { key: 'id-1', label: 'Port' };
        const known = new Map([[first, [port, { key: 'id-2', label: 'Cranes' }]]]);
        for (const id of others.slice(1)) known.set(id, [port]);
        return known;
      });
      const { client } = await harbour(Array(5).fill({}), alone.createAccount());
      const query = { query: 'harbour', threshold: 0, group_by: 'clusters' as const };
      const { total_count, groups } = await aggregate(client, query);
      expect(total_count).toBe(5);
      expect(groups.map(({ key, label, count }) => [key, label, count])).toEqual([
        ['id-1', 'Port', 4],
        ['id-2', 'Cranes', 1],
      ]);
      expect(groups[0]?.top).toHaveLength(3);
    } finally {
      await alone.stop();
    }
  });

  const tags = { query: 'x', group_by: 'tags' };
  it.each([
    ['query is missing', { group_by: 'tags' }, { query: 'required' }],
    ['query is empty', { ...tags, query: '' }, { query: 'invalid_range' }],
    ['query is too long', { ...tags, query: 'x'.repeat(1_001) }, { query: 'field_too_long' }],
    ['group_by is missing', { query: 'x' }, { group_by: 'required' }],
    ['group_by is unknown', { ...tags, group_by: 'colour' }, { group_by: 'invalid_enum_value' }],
    ['limit is 0', { ...tags, limit: 0 }, { limit: 'invalid_range' }],
    ['limit is 101', { ...tags, limit: 101 }, { limit: 'invalid_range' }],
    ['threshold is over 1', { ...tags, threshold: 1.1 }, { threshold: 'invalid_range' }],
    ['space_id is no id', { ...tags, space_id: 'mine' }, { space_id: 'invalid_format' }],
    ['session is empty', { ...tags, session: '' }, { session: 'invalid_range' }],
    ['a field is unknown', { ...tags, text: 'x' }, { text: 'unknown_field' }],
    [
      'a time bucket has no size',
      { query: 'x', group_by: 'time_bucket' },
      { bucket_size: 'required' },
    ],
    [
      'the size is unknown',
      { query: 'x', group_by: 'time_bucket', bucket_size: 'year' },
      { bucket_size: 'invalid_enum_value' },
    ],
    [
      'several fields are faulty',
      { group_by: 'time_bucket', limit: 0 },
      { query: 'required', limit: 'invalid_range', bucket_size: 'required' },
    ],
  ])('refuses with the field and its code when %s', async (_when, query, expected) => {
    const path = '/search/aggregate';
    const answer = await service.client().request({ method: 'GET', path, query });
    const { error } = answer.body as { error: { details: { fields: Record<string, object> } } };
    expect(answer.status).toBe(422);
    expect(error.details.fields).toMatchObject(
      Object.fromEntries(Object.entries(expected).map(([name, code]) => [name, { code }])),
    );
    expect(Object.keys(error.details.fields).sort()).toEqual(Object.keys(expected).sort());
  });

  it('adds the best of the groups it shows to the session, and tells memory.accessed', async () => {
    const { client } = await harbour(
      Array.from({ length: 9 }, (_, i) => ({ tags: i < 5 ? ['a', 'b'] : ['c'] })),
    );
    const query = { query: 'harbour', threshold: 0, group_by: 'tags' as const, limit: 2 };
    const { groups } = await aggregate(client, { ...query, session: 'k' });
    const ids = groups[0]?.top.map(({ id }) => id) ?? [];
    expect(groups.map(({ key }) => key)).toEqual(['a', 'b']);
    expect((await onlySessionOfKey(client, 'k')).memory_ids).toEqual(ids);
    clock.advance(500);
    const [event] = await eventually(
      () => listEvents(client, 'memory.accessed'),
      (events) => events.length > 0,
    );
    expect(event?.data).toEqual({ ids, via: 'aggregate' });
  });

  it('counts one search, and is 429 when the month has none left', async () => {
    advanceToNextMonth(clock);
    const { client, accountId } = await harbour([{}], service.createAccount('free'));
    const counter = { accountId, metric: 'searches', period: monthOf(clock.now()) };
    await setUsage(service, counter, 4_999);
    await expectError(aggregate(client, { query: 'x', group_by: 'tags', space_id: absentId }));
    await aggregate(client, { query: 'x', group_by: 'tags' });
    expect(await readUsage(service, counter)).toBe(5_000);
    const path = '/search/aggregate?query=x&group_by=clusters';
    expect(await client.request(getRequest(path))).toMatchObject({
      status: 429,
      body: { error: { code: 'quota_exceeded', details: { quota: 'searches_per_month' } } },
    });
  });
});
