import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../../test/support/run-count.ts';
import { type AdjacencyReader, type Edge, type ReachedMemory, walkRelationships } from './walk.ts';

const start = 'n0';

/** Up to a dozen nodes; the first two are hubs, and many strengths are equal. */
const graphs: fc.Arbitrary<Edge[]> = fc
  .array(
    fc.record({
      from: fc.oneof({ weight: 2, arbitrary: fc.nat(11) }, { weight: 1, arbitrary: fc.nat(1) }),
      to: fc.oneof({ weight: 3, arbitrary: fc.nat(11) }, { weight: 1, arbitrary: fc.nat(1) }),
      strength: fc.oneof(
        fc.constantFrom(0, 0.25, 0.5, 1),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
    }),
    { maxLength: 36 },
  )
  .map((edges) =>
    edges
      .filter(({ from, to }) => from !== to)
      .map(({ from, to, strength }, i) => ({
        id: `e${String(i).padStart(2, '0')}`,
        from: `n${from}`,
        to: `n${to}`,
        strength,
      })),
  );

/** An adjacency over all edges that records calls; `hidden` nodes are not visible. */
const adjacencyOf = (
  edges: readonly Edge[],
  {
    frontiers = [],
    checkedIds = [],
    hidden = () => false,
  }: { frontiers?: string[][]; checkedIds?: string[]; hidden?: (id: string) => boolean } = {},
): AdjacencyReader => ({
  async edges(frontier, within) {
    frontiers.push([...frontier]);
    const seen = new Set(frontier.filter((id) => !hidden(id)));
    const reachable = edges.filter(
      ({ from, to }) => seen.has(from) && (within === null || within.includes(to)),
    );
    return { edges: reachable, visible: seen };
  },
  async filterVisible(ids) {
    checkedIds.push(...ids);
    return new Set(ids.filter((id) => !hidden(id)));
  },
});

interface Best {
  /** The fewest edges of any path. */
  nearest: number;
  /** The edges of the best path; the shortest one if several are equal. */
  depth: number;
  score: number;
}

/** Every walk of at most `depth` edges, enumerated, through `allowed` nodes only. */
function exhaustive(
  edges: readonly Edge[],
  depth: number,
  allowed: (id: string) => boolean = () => true,
): Map<string, Best> {
  const best = new Map<string, Best>();
  const visit = (at: string, length: number, score: number): void => {
    const previous = best.get(at) ?? { nearest: length, depth: length, score: -1 };
    const nearest = Math.min(previous.nearest, length);
    if (score > previous.score) best.set(at, { nearest, depth: length, score });
    else if (score < previous.score) best.set(at, { ...previous, nearest });
    else best.set(at, { nearest, depth: Math.min(previous.depth, length), score });
    if (length === depth || !allowed(at)) return;
    for (const edge of edges) {
      if (edge.from === at) visit(edge.to, length + 1, score * edge.strength);
    }
  };
  visit(start, 0, 1);
  best.delete(start);
  return best;
}

/** The nodes that a walk includes, layer by layer, each layer by exhaustive search. */
function includedNodes(edges: readonly Edge[], depth: number, nodesMax: number) {
  const included = new Set<string>();
  const excluded = new Set<string>();
  for (let layer = 1; layer <= depth; layer += 1) {
    const through = (id: string) => id === start || included.has(id);
    const found = [...exhaustive(edges, layer, through)]
      .filter(([id, { nearest }]) => nearest === layer && !included.has(id) && !excluded.has(id))
      .sort(([a, one], [b, other]) => other.score - one.score || (a < b ? -1 : 1));
    const capacity = nodesMax - included.size;
    for (const [i, [id]] of found.entries()) (i < capacity ? included : excluded).add(id);
  }
  return { included, truncated: excluded.size > 0 };
}

const bestsOf = (reached: Iterable<Pick<ReachedMemory, 'id' | 'depth' | 'score'>>) =>
  new Map(Array.from(reached, ({ id, depth, score }) => [id, { depth, score }]));
const bestOf = (found: ReadonlyMap<string, Best>) =>
  bestsOf(Array.from(found, ([id, best]) => ({ id, ...best })));

/** Scores are products computed from the start on, so that they can be compared exactly. */
function expectPaths(
  reached: readonly ReachedMemory[],
  edges: readonly Edge[],
  depth: number,
): void {
  const known = new Map(edges.map((edge) => [edge.id, edge]));
  for (const { id, path, score, depth: ownDepth } of reached) {
    let [at, product] = [start, 1];
    for (const name of path) {
      const edge = known.get(name);
      expect(edge?.from).toBe(at);
      at = edge?.to ?? '';
      product *= edge?.strength ?? Number.NaN;
    }
    expect({ at, product }).toEqual({ at: id, product: score });
    expect(path.length).toBeGreaterThan(0);
    expect(path.length).toBeLessThanOrEqual(depth);
    expect(ownDepth).toBe(path.length);
  }
}

const depths = fc.integer({ min: 1, max: 5 });

describe('walk', () => {
  it('finds what an exhaustive search finds: nodes, best scores, lengths of their paths', () =>
    fc.assert(
      fc.asyncProperty(graphs, depths, async (edges, depth) => {
        const { reached, truncated } = await walkRelationships(start, adjacencyOf(edges), {
          depth,
          nodesMax: 500,
        });
        expect(bestsOf(reached)).toEqual(bestOf(exhaustive(edges, depth)));
        expect(truncated).toBe(false);
        expectPaths(reached, edges, depth);
      }),
      { numRuns: runCount(200, 10_000) },
    ));

  it('includes the nearest, then the best, then the smallest id, and passes through no other', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        depths,
        fc.integer({ min: 1, max: 8 }),
        async (edges, depth, max) => {
          const { reached, truncated } = await walkRelationships(start, adjacencyOf(edges), {
            depth,
            nodesMax: max,
          });
          const expected = includedNodes(edges, depth, max);
          const inside = ({ from, to }: Edge): boolean =>
            [from, to].every((id) => id === start || expected.included.has(id));
          expect(truncated).toBe(expected.truncated);
          expect(bestsOf(reached)).toEqual(bestOf(exhaustive(edges.filter(inside), depth)));
          expect(new Set(reached.map(({ id }) => id))).toEqual(expected.included);
          expectPaths(reached, edges, depth);
        },
      ),
      { numRuns: runCount(200, 10_000) },
    ));

  it('has the same result as a graph without the hidden nodes', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        depths,
        fc.integer({ min: 1, max: 8 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 11 }), { maxLength: 5 }),
        async (edges, depth, nodesMax, numbers) => {
          const hidden = (id: string): boolean => numbers.some((n) => id === `n${n}`);
          const visibleEdges = edges.filter(({ from, to }) => !hidden(from) && !hidden(to));
          const options = { depth, nodesMax };
          const result = await walkRelationships(start, adjacencyOf(edges, { hidden }), options);
          expect(result).toEqual(
            await walkRelationships(start, adjacencyOf(visibleEdges), options),
          );
        },
      ),
      { numRuns: runCount(200, 10_000) },
    ));

  it('does not depend on the order in which edges are read', () =>
    fc.assert(
      fc.asyncProperty(graphs, depths, fc.nat(), async (edges, depth, rotation) => {
        const [at, options] = [rotation % (edges.length + 1), { depth, nodesMax: 5 }];
        const rotated = [...edges.slice(at), ...edges.slice(0, at)].reverse();
        const one = await walkRelationships(start, adjacencyOf(edges), options);
        expect(await walkRelationships(start, adjacencyOf(rotated), options)).toEqual(one);
      }),
      { numRuns: runCount(100, 5_000) },
    ));

  it('expands each node once and queries each frontier once, however many paths exist', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        depths,
        fc.integer({ min: 1, max: 12 }),
        async (edges, depth, max) => {
          const [frontiers, checkedIds]: [string[][], string[]] = [[], []];
          const hidden = (id: string): boolean => id === 'n5' || id === 'n6';
          const adjacency = adjacencyOf(edges, { frontiers, checkedIds, hidden });
          await walkRelationships(start, adjacency, { depth, nodesMax: max });
          expect(frontiers.length).toBeLessThanOrEqual(depth);
          expect(new Set(frontiers.flat()).size).toBe(frontiers.flat().length);
          expect(new Set(checkedIds).size).toBe(checkedIds.length);
        },
      ),
      { numRuns: runCount(200, 10_000) },
    ));

  it('returns best scores first, then the nearest, then the smallest id', async () => {
    const edge = (id: string, from: string, to: string, strength: number): Edge => ({
      id,
      from,
      to,
      strength,
    });
    const edges = [
      edge('1', start, 'b', 0.5),
      edge('2', start, 'a', 0.5),
      edge('3', 'a', 'c', 1),
      edge('4', start, 'z', 0.9),
      edge('5', 'z', start, 1),
    ];
    const { reached } = await walkRelationships(start, adjacencyOf(edges), {
      depth: 3,
      nodesMax: 500,
    });
    expect(reached).toEqual([
      { id: 'z', depth: 1, path: ['4'], score: 0.9 },
      { id: 'a', depth: 1, path: ['2'], score: 0.5 },
      { id: 'b', depth: 1, path: ['1'], score: 0.5 },
      { id: 'c', depth: 2, path: ['2', '3'], score: 0.5 },
    ]);
  });

  it('handles a graph with too many paths to enumerate', async () => {
    const edges: Edge[] = [];
    for (let from = 0; from < 150; from += 1) {
      for (let to = 0; to < 150; to += 1) {
        const id = `${from}-${to}`;
        if (from !== to) edges.push({ id, from: `n${from}`, to: `n${to}`, strength: 0.9 });
      }
    }
    const bySource = Map.groupBy(edges, ({ from }) => from);
    const adjacency: AdjacencyReader = {
      edges: async (frontier) => ({
        edges: frontier.flatMap((id) => bySource.get(id) ?? []),
        visible: new Set(frontier),
      }),
      filterVisible: async (ids) => new Set(ids),
    };
    const { reached } = await walkRelationships(start, adjacency, { depth: 5, nodesMax: 500 });
    expect(reached).toHaveLength(149);
    expect(reached.every(({ depth, score }) => depth === 1 && score === 0.9)).toBe(true);
  });
});
