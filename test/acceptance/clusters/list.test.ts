import type { Cluster } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { absentId, createMemory } from '../memories/memory-requests.ts';
import { addToClusters, createCluster, errorCodeOf, fieldErrorCodes } from './cluster-requests.ts';

const sorts = ['name', 'created_at', 'updated_at', 'memory_count', 'silhouette_score'] as const;

interface Asked {
  readonly q?: string | undefined;
  readonly space_id?: string | undefined;
  readonly cluster_type?: 'manual' | 'hdbscan' | 'bertopic' | 'community' | undefined;
  readonly has_memories?: boolean | undefined;
  readonly color?: string[] | undefined;
  readonly sort: (typeof sorts)[number];
  readonly order: 'asc' | 'desc';
}

const fullColor = (color: string): string =>
  color.length === 4
    ? `#${[...color.slice(1)].map((digit) => digit + digit).join('')}`.toLowerCase()
    : color.toLowerCase();

/** The list as somebody would write it who has all clusters in memory. */
function naive(all: readonly Cluster[], asked: Asked): Cluster[] {
  const has = (text: string | null): boolean =>
    (text ?? '').toLowerCase().includes((asked.q ?? '').toLowerCase());
  const wanted = new Set(asked.color?.map((color) => fullColor(color)));
  const keyOf = (cluster: Cluster): number | string => {
    if (asked.sort === 'name') return cluster.name.toLowerCase();
    if (asked.sort !== 'silhouette_score') return cluster[asked.sort];
    return cluster.silhouette_score ?? (asked.order === 'asc' ? Infinity : -Infinity);
  };
  const sign = asked.order === 'asc' ? 1 : -1;
  return all
    .filter(
      (cluster) =>
        (asked.q === undefined || has(cluster.name) || has(cluster.description)) &&
        (asked.space_id === undefined || (cluster.space_id ?? 'null') === asked.space_id) &&
        (asked.cluster_type === undefined || cluster.cluster_type === asked.cluster_type) &&
        (asked.has_memories === undefined || cluster.memory_count > 0 === asked.has_memories) &&
        (wanted.size === 0 || (cluster.color !== null && wanted.has(fullColor(cluster.color)))),
    )
    .toSorted((a, b) => {
      const [x, y] = [keyOf(a), keyOf(b)];
      if (x !== y) return x < y ? -sign : sign;
      return a.id < b.id ? -sign : sign;
    });
}

describe.each(engines)('the list of clusters on %s', (engine) => {
  let service: Service;
  let client: Client;
  let all: Cluster[];
  const spaces: string[] = [];

  beforeAll(async () => {
    service = await startService(engine);
    const account = await service.createAccount();
    client = account.client;
    for (const name of ['red', 'blue']) {
      spaces.push((await client.spaces.create({ body: { name } })).id);
    }
    const memories: string[] = [];
    for (const word of ['one', 'two', 'three'])
      memories.push((await createMemory(client, word)).id);
    const words = ['Tea', 'coffee', 'Hot', 'cold_brew', '50% off', 'z'];
    const colors = [null, '#abc', '#AABBCC', '#123456', '#fff'];
    for (let i = 0; i < 40; i += 1) {
      const inSpace = i % 4 === 0 ? { space_id: spaces[i % 8 === 0 ? 0 : 1] } : {};
      const cluster = await createCluster(client, `${words[i % words.length]} ${i % 7} ${i}`, {
        ...inSpace,
        description: i % 3 === 0 ? null : `about ${words[(i * 5) % words.length]}`,
        color: colors[i % colors.length],
      });
      if (!('space_id' in inSpace)) {
        for (const id of memories.slice(0, i % 4)) await addToClusters(client, id, cluster.id);
      }
    }
    // As runs leave them: scores, some alike, some missing.
    const { db } = service.running.context.app.engine;
    const { data } = await client.clusters.list({ query: { limit: 100 } });
    for (const [i, { id }] of data.entries()) {
      if (i % 2 === 0) continue;
      await db
        .updateTable('clusters')
        .set({
          silhouette_score: (i % 5) / 7 - 0.2,
          ...(i % 3 === 0 ? { type: 'hdbscan' } : {}),
        })
        .where('id', '=', id)
        .execute();
    }
    all = (await client.clusters.list({ query: { limit: 100 } })).data;
    expect(all).toHaveLength(40);
  });
  afterAll(() => service.stop());

  const get = (query: object) =>
    client.request({ method: 'GET', path: '/clusters', query: query as never });

  const asked: fc.Arbitrary<Asked> = fc.record(
    {
      q: fc.constantFrom('TEA', 'co', 'about', '_', '%', '50%', 'nothing'),
      space_id: fc.nat(2).map((i) => [...spaces, 'null'][i] ?? ''),
      cluster_type: fc.constantFrom('manual', 'hdbscan', 'bertopic'),
      has_memories: fc.boolean(),
      color: fc.subarray(['#ABC', '#aabbcc', '#123456', '#ffffff'], { minLength: 1 }),
      sort: fc.constantFrom(...sorts),
      order: fc.constantFrom('asc', 'desc'),
    },
    { requiredKeys: ['sort', 'order'] },
  ) as fc.Arbitrary<Asked>;

  it('equals the naive list for all filters and sorts, by cursor and by offset', async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 1, max: 25 }), async (query, limit) => {
        const expected = naive(all, query);
        const byCursor: Cluster[] = [];
        for (let cursor: string | undefined; ; ) {
          const page = await client.clusters.list({
            query: { ...query, limit, ...(cursor === undefined ? {} : { cursor }) },
          });
          byCursor.push(...page.data);
          expect(page.has_more).toBe(byCursor.length < expected.length);
          expect(page.next_cursor === null).toBe(!page.has_more);
          expect(page.pagination.total).toBe(expected.length);
          if (page.next_cursor === null) break;
          cursor = page.next_cursor;
        }
        expect(byCursor.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        const offset = Math.floor(expected.length / 2);
        const page = await client.clusters.list({ query: { ...query, limit, offset } });
        expect(page.data).toEqual(expected.slice(offset, offset + limit));
        expect(page.pagination).toEqual({
          total: expected.length,
          limit,
          offset,
          has_more: offset + limit < expected.length,
          next_cursor: page.next_cursor,
        });
      }),
      { numRuns: runCount(40, 2_000) },
    );
  });

  it('is by name and ascending, 50 a page, unless told', async () => {
    const { data, pagination } = await client.clusters.list();
    expect(data).toEqual(naive(all, { sort: 'name', order: 'asc' }));
    expect(pagination).toEqual({
      total: 40,
      limit: 50,
      offset: 0,
      has_more: false,
      next_cursor: null,
    });
  });

  it('takes a cursor for its own filters and sort alone, and without an offset', async () => {
    const { next_cursor: cursor } = await client.clusters.list({ query: { limit: 1, q: 'tea' } });
    for (const query of [
      { q: 'te', cursor },
      { q: 'tea', sort: 'created_at', cursor },
      { q: 'tea', order: 'desc', cursor },
      { q: 'tea', cursor: 'x' },
    ]) {
      expect(errorCodeOf(await get(query))).toBe('invalid_request');
    }
    expect((await get({ q: 'tea', cursor, limit: 7 })).status).toBe(200);
    expect(fieldErrorCodes(await get({ q: 'tea', cursor, offset: 1 }))).toEqual({
      offset: 'invalid_range',
    });
  });

  it('by cursor neither repeats nor loses one while others are made and removed', async () => {
    const { client: own } = await service.createAccount();
    for (const name of ['b', 'd', 'f', 'h', 'j']) await createCluster(own, name);
    const seen: string[] = [];
    const page = async (cursor?: string) => {
      const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const { data, next_cursor } = await own.clusters.list({ query });
      seen.push(...data.map(({ name }) => name));
      return next_cursor ?? undefined;
    };
    const second = await page();
    await createCluster(own, 'a');
    const [{ id } = { id: '' }] = (await own.clusters.list({ query: { q: 'd' } })).data;
    await own.clusters.remove({ params: { clusterId: id } });
    await createCluster(own, 'g');
    await page(await page(second));
    expect(seen).toEqual(['b', 'd', 'f', 'g', 'h', 'j']);
  });

  it('shows metrics and topics besides where they are asked for', async () => {
    const [one] = (await client.clusters.list({ query: { limit: 1 } })).data;
    expect(Object.keys(one ?? {})).not.toContain('quality_metrics');
    const include = ['quality_metrics', 'topic_info'] as const;
    const [more] = (await client.clusters.list({ query: { limit: 1, include: [...include] } }))
      .data;
    expect(more).toMatchObject({
      ...one,
      quality_metrics: { computed_at: null },
      topic_info: { topic_label: null, topic_keywords: null, representation: null },
    });
  });

  it('takes colours with or without the #, short or long', async () => {
    const short = await client.clusters.list({ query: { color: ['#abc'] } });
    expect(short.data.length).toBeGreaterThan(0);
    for (const color of ['abc', 'AABBCC', '%23aabbcc']) {
      const { body } = await client.request({ method: 'GET', path: `/clusters?color=${color}` });
      expect((body as typeof short).data).toEqual(short.data);
    }
  });

  it.each([
    [{ limit: 101 }, { limit: 'invalid_range' }],
    [{ limit: 0 }, { limit: 'invalid_range' }],
    [{ offset: -1 }, { offset: 'invalid_range' }],
    [{ sort: 'color' }, { sort: 'invalid_enum_value' }],
    [{ order: 'up' }, { order: 'invalid_enum_value' }],
    [{ cluster_type: 'kmeans' }, { cluster_type: 'invalid_enum_value' }],
    [{ has_memories: 'yes' }, { has_memories: 'invalid_type' }],
    [{ color: 'red' }, { 'color.0': 'invalid_format' }],
    [{ include: 'memories' }, { 'include.0': 'invalid_enum_value' }],
    [{ space_id: 'x' }, { space_id: 'invalid_format' }],
    [{ q: '' }, { q: 'invalid_range' }],
    [{ q: 'x'.repeat(1_001) }, { q: 'field_too_long' }],
    [{ name: 'x' }, { name: 'unknown_field' }],
  ])('refuses %o', async (query, fields) => {
    expect(fieldErrorCodes(await get(query))).toEqual(fields);
  });

  it('of a space that there is not is 404 space_not_found', async () => {
    expect(errorCodeOf(await get({ space_id: absentId }))).toBe('space_not_found');
  });

  it('is beside statistics: by type, empty ones, memberships, memories, colours', async () => {
    const { client: own } = await service.createAccount();
    const [one, two] = [
      await createCluster(own, 'one', { color: '#abc' }),
      await createCluster(own, 'two', { color: '#AABBCC' }),
    ];
    await createCluster(own, 'three');
    const memory = await createMemory(own, 'Ana likes tea.');
    const other = await createMemory(own, 'Ben likes tea.');
    await createMemory(own, 'Cleo likes tea.');
    await addToClusters(own, memory.id, one.id, two.id);
    await addToClusters(own, other.id, one.id);
    const stats = {
      total: 3,
      by_type: { manual: 3, hdbscan: 0, bertopic: 0, community: 0 },
      empty: 1,
      memberships: 3,
      average_memory_count: 1,
      clustered_memories: 2,
      unclustered_memories: 1,
    };
    expect(await own.clusters.stats()).toEqual(stats);
    const query = { include: ['color_distribution' as const] };
    expect(await own.clusters.stats({ query })).toEqual({
      ...stats,
      color_distribution: [
        { color: '#aabbcc', count: 2 },
        { color: null, count: 1 },
      ],
    });
  });
});
