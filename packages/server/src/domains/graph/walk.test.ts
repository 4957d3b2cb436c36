import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../../test/support/run-count.ts';
import {
  type AdjacencyReader,
  type FoundEdge,
  findNeighbourhood,
  findShortestPath,
} from './walk.ts';

/** Up to a dozen nodes; two are hubs, weights are often equal, and some edges have no support. */
const graphs: fc.Arbitrary<FoundEdge[]> = fc
  .array(
    fc.record({
      from: fc.nat(11),
      to: fc.oneof({ weight: 3, arbitrary: fc.nat(11) }, { weight: 1, arbitrary: fc.nat(1) }),
      weight: fc.constantFrom(0.5, 0.7, 0.9),
      said: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    }),
    { maxLength: 30 },
  )
  .map((edges) =>
    edges
      .filter(({ from, to }) => from !== to)
      .map(({ from, to, weight, said }, i) => ({
        id: `e${String(i).padStart(2, '0')}`,
        source_id: `n${from}`,
        target_id: `n${to}`,
        relationship_type: 'knows',
        weight,
        said,
      })),
  );

const surestFirst = (a: { id: string; weight: number }, b: { id: string; weight: number }) =>
  b.weight - a.weight || (a.id < b.id ? -1 : 1);

function groundOf(edges: readonly FoundEdge[]): AdjacencyReader {
  const ways = edges.flatMap(({ id, source_id, target_id, weight }) => [
    { id, near: source_id, far: target_id, weight },
    { id, near: target_id, far: source_id, weight },
  ]);
  return {
    async nearest(frontier, taken, countMax) {
      const best = new Map<string, number>();
      for (const { near, far, weight } of ways) {
        if (!frontier.includes(near) || taken.includes(far)) continue;
        best.set(far, Math.max(best.get(far) ?? 0, weight));
      }
      const linked = [...best].map(([id, weight]) => ({ id, weight }));
      return linked.sort(surestFirst).slice(0, countMax);
    },
    async among(ids) {
      return edges.filter((edge) => ids.includes(edge.source_id) && ids.includes(edge.target_id));
    },
    async steps(frontier) {
      return ways.filter(({ near }) => frontier.includes(near));
    },
  };
}

/** Distance in hops from a node to each reachable node. */
function hopsFrom(start: string, edges: readonly FoundEdge[]): Map<string, number> {
  const hops = new Map([[start, 0]]);
  for (let hop = 1; hop <= 12; hop += 1) {
    const next = edges.flatMap(({ source_id: a, target_id: b }) => {
      if (hops.has(a) && !hops.has(b)) return [b];
      return hops.has(b) && !hops.has(a) ? [a] : [];
    });
    for (const id of next) hops.set(id, hop);
  }
  return hops;
}

const within = (hops: ReadonlyMap<string, number>, max: number): Map<string, number> =>
  new Map([...hops].filter(([, hop]) => hop <= max));
const byId = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
const budget = { numRuns: runCount(150, 10_000) };

describe('a neighbourhood', () => {
  it('has all nodes within the hops, with every edge between them, up to the limit', () =>
    fc.assert(
      fc.asyncProperty(graphs, fc.integer({ min: 1, max: 5 }), async (edges, hops) => {
        const found = await findNeighbourhood('n0', groundOf(edges), { hops, nodesMax: 500 });
        const expected = within(hopsFrom('n0', edges), hops);
        expect(found.hops).toEqual(expected);
        const inside = edges.filter(
          ({ source_id: a, target_id: b }) => expected.has(a) && expected.has(b),
        );
        expect(found.edges.map(({ id }) => id)).toEqual(inside.map(({ id }) => id));
        expect(found.truncated).toBe(false);
      }),
      budget,
    ));

  it('has the nearest nodes if there are too many, each at its distance', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 6 }),
        async (edges, hops, nodesMax) => {
          const said = edges.map((edge) => ({ ...edge, said: true }));
          const found = await findNeighbourhood('n0', groundOf(said), { hops, nodesMax });
          const all = within(hopsFrom('n0', edges), hops);
          expect(found.hops.size).toBe(Math.min(nodesMax, all.size));
          expect(found.truncated).toBe(all.size > nodesMax);
          expect(found.isSupported).toBe(true);
          const farthest = Math.max(...found.hops.values());
          for (const [id, hop] of all) {
            if (hop < farthest) expect(found.hops.get(id)).toBe(hop);
          }
        },
      ),
      budget,
    ));

  it('that is sound is the same without unsupported edges', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 6 }),
        async (edges, hops, nodesMax) => {
          const found = await findNeighbourhood('n0', groundOf(edges), { hops, nodesMax });
          const left = edges.filter(({ said }) => said);
          const sure = await findNeighbourhood('n0', groundOf(left), { hops, nodesMax });
          expect(sure.isSupported).toBe(true);
          if (!found.isSupported) return;
          expect([...found.hops]).toEqual([...sure.hops]);
          expect(byId(found.edges)).toEqual(byId(sure.edges));
          expect(found.truncated).toBe(sure.truncated);
        },
      ),
      budget,
    ));
});

describe('a path', () => {
  it('is the shortest, step by step from one end to the other', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        fc.nat(11),
        fc.integer({ min: 1, max: 6 }),
        async (edges, to, max) => {
          const extent = { maxHops: max, nodesMax: 500 };
          const found = await findShortestPath('n0', `n${to}`, groundOf(edges), extent);
          const hops = hopsFrom('n0', edges).get(`n${to}`);
          expect(found === null).toBe(hops === undefined || hops > max);
          if (found === null) return;
          expect(found.edges).toHaveLength(hops ?? 0);
          expect([found.nodes[0], found.nodes.at(-1)]).toEqual(['n0', `n${to}`]);
          for (const [i, id] of found.edges.entries()) {
            const edge = edges.find((one) => one.id === id);
            const ends = [found.nodes[i], found.nodes[i + 1]];
            expect([edge?.source_id, edge?.target_id].toSorted()).toEqual(ends.toSorted());
          }
        },
      ),
      budget,
    ));

  it('is not searched beyond the node limit', async () => {
    const edges = Array.from({ length: 10 }, (_, i) => ({
      id: `e${i}`,
      source_id: `n${i}`,
      target_id: `n${i + 1}`,
      relationship_type: 'knows',
      weight: 1,
      said: true,
    }));
    const ask = (nodesMax: number) =>
      findShortestPath('n0', 'n10', groundOf(edges), { maxHops: 10, nodesMax });
    expect((await ask(11))?.edges).toHaveLength(10);
    expect(await ask(5)).toBeNull();
  });
});
