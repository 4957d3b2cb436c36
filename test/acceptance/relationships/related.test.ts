import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { AcceleratedClock } from '../memories/controlled-dependencies.ts';
import { absentId, expectError } from '../memories/memory-requests.ts';
import {
  createManyRelationships,
  createMemories,
  createRelationship,
  idsOf,
} from './relationship-requests.ts';

const dayMs = 86_400_000;

describe.each(engines)('GET /relationships/:memoryId/related on %s', (engine) => {
  let service: Service;
  const clock = new AcceleratedClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock } });
  });
  afterAll(() => service.stop());

  const related = (client: Client, memoryId: string, query = {}) =>
    client.relationships.related({ params: { memoryId }, query });
  const lasting = { decay_rate: 0 };

  /** a → b → c → d, each a little weaker, and e → a. */
  const chain = async () => {
    const { client } = await service.createAccount();
    const [a = '', b = '', c = '', d = '', e = ''] = await createMemories(client, 5);
    const made = [
      await createRelationship(client, a, b, { ...lasting, weight: 0.5 }),
      await createRelationship(client, b, c, { ...lasting, weight: 0.5, type: 'supports' }),
      await createRelationship(client, c, d, { ...lasting, weight: 0.5 }),
      await createRelationship(client, e, a, { ...lasting, weight: 2 }),
    ];
    const [ab = '', bc = '', cd = '', ea = ''] = idsOf(made);
    return { client, a, b, c, d, e, ab, bc, cd, ea, made };
  };
  const shown = ({ memories }: Awaited<ReturnType<typeof related>>) =>
    memories.map(({ memory, depth, path, score }) => [memory.id, depth, path, score]);

  it('answers memories up to two steps away, best score first, with what leads there', async () => {
    const { client, a, b, c, e, ab, bc, ea, made } = await chain();
    const answer = await related(client, `mem_${a}`);
    expect(answer).toMatchObject({ memory_id: a, depth: 2, truncated: false });
    expect(shown(answer)).toEqual([
      [e, 1, [ea], 1],
      [b, 1, [ab], 0.5],
      [c, 2, [ab, bc], 0.25],
    ]);
    const known = new Map(made.map((one) => [one.id, one]));
    expect(answer.relationships).toEqual([ea, ab, bc].map((id) => known.get(id)));
    const params = { id: b };
    const { salience: _moving, ...memory } = await client.memories.get({ params });
    expect(answer.memories[1]?.memory).toMatchObject(memory);
  });

  it('goes as deep as is asked, up to 5', async () => {
    const { client, a, d, ab, bc, cd } = await chain();
    expect((await related(client, a, { depth: 1 })).memories).toHaveLength(2);
    const answer = await related(client, a, { depth: 3 });
    expect(shown(answer).at(-1)).toEqual([d, 3, [ab, bc, cd], 0.125]);
    expect(shown(await related(client, a, { depth: 5 }))).toEqual(shown(answer));
  });

  it('goes in the direction that is asked for', async () => {
    const { client, a, b, c, e } = await chain();
    const ids = async (id: string, direction: string) =>
      shown(await related(client, id, { direction })).map(([memory]) => memory);
    expect(await ids(a, 'outgoing')).toEqual([b, c]);
    expect(await ids(a, 'incoming')).toEqual([e]);
    expect(await ids(c, 'incoming')).toEqual([b, a]);
  });

  it('goes along relationships of one type, and of at least one weight after decay', async () => {
    const { client, a, b, e, bc } = await chain();
    const typed = await related(client, b, { type: 'supports' });
    expect(shown(typed).map(([, , path]) => path)).toEqual([[bc]]);
    const ids = async (min_weight: number) =>
      shown(await related(client, a, { min_weight })).map(([id]) => id);
    expect(await ids(0.6)).toEqual([e]);
    expect(await ids(2)).toEqual([e]);
    expect(await ids(2.1)).toEqual([]);
    const [f = ''] = await createMemories(client, 1);
    await createRelationship(client, a, f, { decay_rate: 0.5, weight: 1 });
    expect(await ids(0.9)).toEqual([e, f]);
    clock.advance(dayMs);
    expect(await ids(0.9)).toEqual([e]);
    expect(await ids(0.49)).toContain(f);
  });

  it('keeps the strength of what leads to or from a pinned memory', async () => {
    const { client } = await service.createAccount();
    const [a = '', b = '', c = ''] = await createMemories(client, 3);
    await createRelationship(client, a, b);
    await createRelationship(client, b, c);
    await client.memories.pin({ params: { id: c } });
    clock.advance(100 * dayMs);
    const scores = async () => (await related(client, a)).memories.map(({ score }) => score);
    const left = expect.closeTo(0.98 ** 100, 5);
    expect(await scores()).toEqual([left, left]);
    await client.memories.pin({ params: { id: a } });
    expect(await scores()).toEqual([1, 1]);
  });

  it('finds the best path, not the shortest, and shows each memory once in cycles', async () => {
    const { client } = await service.createAccount();
    const [a = '', b = '', c = ''] = await createMemories(client, 3);
    await createRelationship(client, a, c, { ...lasting, weight: 0.1 });
    const ab = await createRelationship(client, a, b, {
      ...lasting,
      weight: 0.9,
      bidirectional: true,
    });
    const bc = await createRelationship(client, b, c, { ...lasting, weight: 0.9 });
    await createRelationship(client, c, a, { ...lasting, weight: 0 });
    const answer = await related(client, a, { depth: 5, direction: 'outgoing' });
    expect(shown(answer)).toEqual([
      [b, 1, [ab.id], 0.9],
      [c, 2, [ab.id, bc.id], 0.9 * 0.9],
    ]);
    expect(idsOf(answer.relationships)).toEqual([ab.id, bc.id]);
  });

  it('takes the best of several relationships between two memories', async () => {
    const { client } = await service.createAccount();
    const [a = '', b = ''] = await createMemories(client, 2);
    await createRelationship(client, a, b, { ...lasting, weight: 0.2 });
    const best = await createRelationship(client, b, a, {
      ...lasting,
      weight: 0.8,
      type: 'supports',
    });
    expect(shown(await related(client, a))).toEqual([[b, 1, [best.id], 0.8]]);
  });

  it('cuts at the limit, best first, and says so', async () => {
    const { client, a } = await chain();
    const all = await related(client, a, { depth: 3 });
    for (const limit of [1, 2, 3, 4]) {
      const some = await related(client, a, { depth: 3, limit });
      expect(shown(some)).toEqual(shown(all).slice(0, limit));
      expect(some.truncated).toBe(limit < 4);
      const named = new Set(some.memories.flatMap(({ path }) => path));
      expect(new Set(idsOf(some.relationships))).toEqual(named);
    }
  });

  it('takes in at most 500 memories, the nearest first, from a hub of 1,000', async () => {
    const { client } = await service.createAccount();
    const [hub = '', ...leaves] = await createMemories(client, 1_001);
    await createManyRelationships(client, hub, leaves);
    const [leaf = '', next = ''] = leaves;
    await createRelationship(client, leaf, next, lasting);
    for (const [targetId, weight] of [
      [leaf, 2],
      [next, 1],
    ] as const) {
      const params = { sourceId: hub, targetId, type: 'related_to' } as const;
      await client.relationships.update({ params, body: { weight } });
    }
    const answer = await related(client, hub, { depth: 3 });
    expect(answer.memories).toHaveLength(500);
    expect(answer.truncated).toBe(true);
    expect(
      idsOf(answer.memories.filter(({ depth }) => depth !== 1).map(({ memory }) => memory)),
    ).toEqual([next]);
    // Between those that were taken in, the walk still finds better paths.
    const better = answer.memories.find(({ memory }) => memory.id === next);
    expect([better?.score, better?.path.length, better?.depth]).toEqual([1, 2, 2]);
    const around = await related(client, leaf, { depth: 1 });
    expect(around).toMatchObject({ truncated: false });
    expect(around.memories).toHaveLength(2);
  });

  it('leaves out soft-deleted memories and what only they lead to', async () => {
    const { client, a, b, e } = await chain();
    await client.memories.remove({ params: { id: b }, query: { soft: true } });
    expect(shown(await related(client, a, { depth: 5 })).map(([id]) => id)).toEqual([e]);
    expect(await related(client, b)).toEqual({
      memory_id: b,
      depth: 2,
      hops: 2,
      memories: [],
      data: [],
      pagination: { limit: 500, total: null, offset: null, has_more: false, next_cursor: null },
      relationships: [],
      truncated: false,
    });
    await client.memories.restore({ params: { id: b } });
    expect((await related(client, a, { depth: 5 })).memories).toHaveLength(4);
  });

  it.each([
    ['no depth', { depth: 0 }, 'depth', 'invalid_range'],
    ['a depth over 5', { depth: 6 }, 'depth', 'invalid_range'],
    ['half a step', { depth: 1.5 }, 'depth', 'invalid_type'],
    ['no limit', { limit: 0 }, 'limit', 'invalid_range'],
    ['a limit over 500', { limit: 501 }, 'limit', 'invalid_range'],
    ['a negative weight', { min_weight: -0.1 }, 'min_weight', 'invalid_range'],
    ['an unknown type', { type: 'likes' }, 'type', 'invalid_enum_value'],
    ['an unknown direction', { direction: 'up' }, 'direction', 'invalid_enum_value'],
    ['hops and a depth that differ', { hops: 2, depth: 3 }, 'depth', 'invalid_format'],
    ['an unknown field', { steps: 2 }, 'steps', 'unknown_field'],
  ])('refuses %s with 422', async (_name, query, field, code) => {
    const { client, a } = await chain();
    expect(await expectError(related(client, a, query))).toMatchObject({
      status: 422,
      details: { fields: { [field]: { code } } },
    });
  });

  it('from a memory that there is not is 404 memory_not_found', async () => {
    const { client } = await chain();
    const stranger = await chain();
    for (const id of [absentId, stranger.a, 'nonsense']) {
      expect(await expectError(related(client, id))).toMatchObject({
        status: 404,
        code: 'memory_not_found',
      });
    }
  });

  it('finds what an exhaustive search over the lists finds, on any graph', async () => {
    const { client } = await service.createAccount();
    const edge = fc.record({ s: fc.nat(9), t: fc.nat(9), weight: fc.constantFrom(0.25, 0.5, 1) });
    const graph = fc.array(edge, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(graph, fc.integer({ min: 1, max: 5 }), async (edges, depth) => {
        const ids = await createMemories(client, 10);
        const strongest = new Map<string, number>();
        const links = edges.filter(({ s, t }) => s !== t);
        for (const { s, t, weight } of links) {
          const body = { ...lasting, weight };
          const made = await createRelationship(client, ids[s] ?? '', ids[t] ?? '', body).catch(
            () => null,
          );
          if (made) strongest.set(`${s} ${t}`, weight);
        }
        const best = new Map<number, [depth: number, score: number]>();
        const go = (at: number, length: number, score: number): void => {
          const [nearest, highest] = best.get(at) ?? [length, score];
          best.set(at, [Math.min(nearest, length), Math.max(highest, score)]);
          if (length === depth) return;
          for (const [pair, weight] of strongest) {
            const [s, t] = pair.split(' ').map(Number) as [number, number];
            if (s === at) go(t, length + 1, score * weight);
            if (t === at) go(s, length + 1, score * weight);
          }
        };
        go(0, 0, 1);
        best.delete(0);
        const answer = await related(client, ids[0] ?? '', { depth });
        const found = answer.memories.map(
          ({ memory, depth, score }) => [ids.indexOf(memory.id), [depth, score]] as const,
        );
        expect(new Map(found)).toEqual(best);
      }),
      { numRuns: runCount(4, 100), endOnFailure: true },
    );
  });
});
