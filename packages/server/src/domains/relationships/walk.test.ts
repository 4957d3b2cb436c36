import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../../test/support/run-count.ts';
import { type Adjacency, type Edge, type ReachedMemory, walk } from './walk.ts';

const start = 'n0';

/** Up to a dozen nodes; the first two are hubs, and strengths are often alike. */
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

/** All of the edges, to be asked for; `hidden` nodes may not be seen. */
const groundOf = (
  edges: readonly Edge[],
  {
    asked = [],
    looked = [],
    hidden = () => false,
  }: { asked?: string[][]; looked?: string[]; hidden?: (id: string) => boolean } = {},
): Adjacency => ({
  async edges(frontier, within) {
    asked.push([...frontier]);
    const seen = new Set(frontier.filter((id) => !hidden(id)));
    const led = edges.filter(
      ({ from, to }) => seen.has(from) && (within === null || within.includes(to)),
    );
    return { edges: led, visible: seen };
  },
  async filterVisible(ids) {
    looked.push(...ids);
    return new Set(ids.filter((id) => !hidden(id)));
  },
});

interface Best {
  /** The fewest edges of any path. */
  nearest: number;
  /** The edges of the best path, and of several the shortest. */
  depth: number;
  score: number;
}

/** Every walk of at most `depth` edges, one by one, that goes through `allowed` nodes alone. */
function exhaustive(
  edges: readonly Edge[],
  depth: number,
  allowed: (id: string) => boolean = () => true,
): Map<string, Best> {
  const best = new Map<string, Best>();
  const go = (at: string, length: number, score: number): void => {
    const known = best.get(at) ?? { nearest: length, depth: length, score: -1 };
    const nearest = Math.min(known.nearest, length);
    if (score > known.score) best.set(at, { nearest, depth: length, score });
    else if (score < known.score) best.set(at, { ...known, nearest });
    else best.set(at, { nearest, depth: Math.min(known.depth, length), score });
    if (length === depth || !allowed(at)) return;
    for (const edge of edges) {
      if (edge.from === at) go(edge.to, length + 1, score * edge.strength);
    }
  };
  go(start, 0, 1);
  best.delete(start);
  return best;
}

/** The nodes that a walk takes in, layer by layer, each layer by exhaustive search. */
function takenIn(edges: readonly Edge[], depth: number, nodesMax: number) {
  const taken = new Set<string>();
  const refused = new Set<string>();
  for (let layer = 1; layer <= depth; layer += 1) {
    const through = (id: string) => id === start || taken.has(id);
    const found = [...exhaustive(edges, layer, through)]
      .filter(([id, { nearest }]) => nearest === layer && !taken.has(id) && !refused.has(id))
      .sort(([a, one], [b, other]) => other.score - one.score || (a < b ? -1 : 1));
    const room = nodesMax - taken.size;
    for (const [i, [id]] of found.entries()) (i < room ? taken : refused).add(id);
  }
  return { taken, truncated: refused.size > 0 };
}

const bestsOf = (reached: Iterable<Pick<ReachedMemory, 'id' | 'depth' | 'score'>>) =>
  new Map(Array.from(reached, ({ id, depth, score }) => [id, { depth, score }]));
const bestOf = (found: ReadonlyMap<string, Best>) =>
  bestsOf(Array.from(found, ([id, best]) => ({ id, ...best })));

/** Scores are products taken from the start on, so that they can be compared exactly. */
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
        const { reached, truncated } = await walk(start, groundOf(edges), { depth, nodesMax: 500 });
        expect(bestsOf(reached)).toEqual(bestOf(exhaustive(edges, depth)));
        expect(truncated).toBe(false);
        expectPaths(reached, edges, depth);
      }),
      { numRuns: runCount(200, 10_000) },
    ));

  it('takes in the nearest, then the best, then the smallest id, and goes through no other', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        depths,
        fc.integer({ min: 1, max: 8 }),
        async (edges, depth, max) => {
          const { reached, truncated } = await walk(start, groundOf(edges), {
            depth,
            nodesMax: max,
          });
          const expected = takenIn(edges, depth, max);
          const inside = ({ from, to }: Edge): boolean =>
            [from, to].every((id) => id === start || expected.taken.has(id));
          expect(truncated).toBe(expected.truncated);
          expect(bestsOf(reached)).toEqual(bestOf(exhaustive(edges.filter(inside), depth)));
          expect(new Set(reached.map(({ id }) => id))).toEqual(expected.taken);
          expectPaths(reached, edges, depth);
        },
      ),
      { numRuns: runCount(200, 10_000) },
    ));

  it('is the same as if what may not be seen were not there', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        depths,
        fc.integer({ min: 1, max: 8 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 11 }), { maxLength: 5 }),
        async (edges, depth, nodesMax, numbers) => {
          const hidden = (id: string): boolean => numbers.some((n) => id === `n${n}`);
          const left = edges.filter(({ from, to }) => !hidden(from) && !hidden(to));
          const options = { depth, nodesMax };
          const answer = await walk(start, groundOf(edges, { hidden }), options);
          expect(answer).toEqual(await walk(start, groundOf(left), options));
        },
      ),
      { numRuns: runCount(200, 10_000) },
    ));

  it('does not depend on the order in which edges are read', () =>
    fc.assert(
      fc.asyncProperty(graphs, depths, fc.nat(), async (edges, depth, turn) => {
        const [at, options] = [turn % (edges.length + 1), { depth, nodesMax: 5 }];
        const turned = [...edges.slice(at), ...edges.slice(0, at)].reverse();
        const one = await walk(start, groundOf(edges), options);
        expect(await walk(start, groundOf(turned), options)).toEqual(one);
      }),
      { numRuns: runCount(100, 5_000) },
    ));

  it('expands each node once and asks once for each frontier, however many paths there are', () =>
    fc.assert(
      fc.asyncProperty(
        graphs,
        depths,
        fc.integer({ min: 1, max: 12 }),
        async (edges, depth, max) => {
          const [asked, looked]: [string[][], string[]] = [[], []];
          const hidden = (id: string): boolean => id === 'n5' || id === 'n6';
          const ground = groundOf(edges, { asked, looked, hidden });
          await walk(start, ground, { depth, nodesMax: max });
          expect(asked.length).toBeLessThanOrEqual(depth);
          expect(new Set(asked.flat()).size).toBe(asked.flat().length);
          expect(new Set(looked).size).toBe(looked.length);
        },
      ),
      { numRuns: runCount(200, 10_000) },
    ));

  it('shows best scores first, then the nearest, then the smallest id', async () => {
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
    const { reached } = await walk(start, groundOf(edges), { depth: 3, nodesMax: 500 });
    expect(reached).toEqual([
      { id: 'z', depth: 1, path: ['4'], score: 0.9 },
      { id: 'a', depth: 1, path: ['2'], score: 0.5 },
      { id: 'b', depth: 1, path: ['1'], score: 0.5 },
      { id: 'c', depth: 2, path: ['2', '3'], score: 0.5 },
    ]);
  });

  it('gets through a graph in which there are too many paths to follow each', async () => {
    const edges: Edge[] = [];
    for (let from = 0; from < 150; from += 1) {
      for (let to = 0; to < 150; to += 1) {
        const id = `${from}-${to}`;
        if (from !== to) edges.push({ id, from: `n${from}`, to: `n${to}`, strength: 0.9 });
      }
    }
    const bySource = Map.groupBy(edges, ({ from }) => from);
    const ground: Adjacency = {
      edges: async (frontier) => ({
        edges: frontier.flatMap((id) => bySource.get(id) ?? []),
        visible: new Set(frontier),
      }),
      filterVisible: async (ids) => new Set(ids),
    };
    const { reached } = await walk(start, ground, { depth: 5, nodesMax: 500 });
    expect(reached).toHaveLength(149);
    expect(reached.every(({ depth, score }) => depth === 1 && score === 0.9)).toBe(true);
  });
});
