import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../../test/support/run-count.ts';
import { edgeKey, type GraphEdge, type GraphNode, walkNeighbourhood } from './neighbourhood.ts';

const kinds = ['mention', 'fact', 'relationship'] as const;

/** Even numbers are memories, odd ones entities. */
const node = (n: number): GraphNode => ({
  id: `n${String(n).padStart(2, '0')}`,
  isMemory: n % 2 === 0,
});
const root = node(0);

/** Up to twenty nodes; the first three are hubs, and many weights are equal. */
const graphs: fc.Arbitrary<GraphEdge[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      from: fc.oneof(fc.nat(19), fc.nat(2)),
      to: fc.oneof(fc.nat(19), fc.nat(2)),
      weight: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
    }),
    { maxLength: 70 },
  )
  .map((edges) =>
    edges
      .filter(({ from, to }) => from !== to)
      .map(({ kind, from, to, weight }, i) => ({
        kind,
        id: `e${i}`,
        source: node(from),
        target: node(to),
        type: kind,
        weight,
        validFrom: null,
        validTo: null,
      })),
  );

const bounds = fc.record({
  hops: fc.integer({ min: 1, max: 3 }),
  nodesMax: fc.integer({ min: 1, max: 20 }),
  edgesMax: fc.integer({ min: 20, max: 40 }),
});

/** Reads all edges, in an order that the seed gives, some of them twice. */
const readerOf =
  (edges: readonly GraphEdge[], seed: number, frontiers: string[] = []) =>
  async (nodes: readonly GraphNode[]): Promise<GraphEdge[]> => {
    frontiers.push(...nodes.map(({ id }) => id));
    const ids = new Set(nodes.map(({ id }) => id));
    const found = edges.filter(({ source, target }) => ids.has(source.id) || ids.has(target.id));
    const turned = [...found.slice(seed % 7), ...found.slice(0, seed % 7)];
    return seed % 2 === 0 ? turned.toReversed() : [...turned, ...turned.slice(0, 3)];
  };

/** The distance of each node that has a path from the root. */
function distances(edges: readonly GraphEdge[]): Map<string, number> {
  const hops = new Map([[root.id, 0]]);
  for (let hop = 0; hop < 20; hop += 1) {
    for (const { source, target } of edges) {
      for (const [near, far] of [
        [source, target],
        [target, source],
      ] as const) {
        if (hops.get(near.id) === hop && !hops.has(far.id)) hops.set(far.id, hop + 1);
      }
    }
  }
  return hops;
}

const runs = { numRuns: runCount(300, 20_000) };

describe('the walk of a neighbourhood', () => {
  it('keeps its bounds, reads each node once, and is connected', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, bounds, fc.nat(), async (edges, limits, seed) => {
        const read: string[] = [];
        const found = await walkNeighbourhood(root, readerOf(edges, seed, read), limits);
        const ids = found.nodes.map(({ id }) => id);
        const included = new Set(ids);
        expect(ids[0]).toBe(root.id);
        expect(included.size).toBe(ids.length);
        expect(ids.length).toBeLessThanOrEqual(limits.nodesMax);
        expect(found.edges.length).toBeLessThanOrEqual(limits.edgesMax);
        expect(new Set(read).size).toBe(read.length);
        expect(read.toSorted()).toEqual(ids.toSorted());
        for (const { source, target } of found.edges) {
          expect([included.has(source.id), included.has(target.id)]).toEqual([true, true]);
        }
        const reached = distances(found.edges);
        expect([...reached.keys()].toSorted()).toEqual(ids.toSorted());
      }),
      runs,
    );
  });

  it('has the nearest nodes, and is complete unless it says otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, bounds, fc.nat(), async (edges, limits, seed) => {
        const found = await walkNeighbourhood(root, readerOf(edges, seed), limits);
        const all = distances(edges);
        for (const { id, hops } of found.nodes) expect(hops).toBe(all.get(id));
        const within = [...all].filter(([, hops]) => hops <= limits.hops);
        const missing = within.filter(([id]) => !found.nodes.some((one) => one.id === id));
        const farthest = Math.max(...found.nodes.map(({ hops }) => hops));
        for (const [, hops] of missing) expect(hops).toBeGreaterThanOrEqual(farthest);
        const included = new Set(found.nodes.map(({ id }) => id));
        const among = edges.filter(
          ({ source, target }) => included.has(source.id) && included.has(target.id),
        );
        const isCut = missing.length > 0 || among.length > found.edges.length;
        expect(found.truncated).toBe(isCut);
      }),
      runs,
    );
  });

  it('counts the neighbours of each node that it does not have', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, bounds, async (edges, limits) => {
        const found = await walkNeighbourhood(root, readerOf(edges, 0), limits);
        const included = new Set(found.nodes.map(({ id }) => id));
        for (const { id, hiddenNeighbours } of found.nodes) {
          const neighbours = edges.flatMap(({ source, target }) => {
            if (source.id === id) return [target.id];
            return target.id === id ? [source.id] : [];
          });
          const hidden = new Set(neighbours.filter((other) => !included.has(other)));
          expect(hiddenNeighbours).toBe(hidden.size);
        }
      }),
      runs,
    );
  });

  it('depends on nothing but the graph', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, bounds, fc.nat(), fc.nat(), async (edges, limits, one, other) => {
        const [first, second] = [
          await walkNeighbourhood(root, readerOf(edges, one), limits),
          await walkNeighbourhood(root, readerOf(edges.toReversed(), other), limits),
        ];
        expect(second.nodes).toEqual(first.nodes);
        expect(second.edges.map(edgeKey)).toEqual(first.edges.map(edgeKey));
      }),
      runs,
    );
  });

  it('prefers strong edges, and facts and relationships to mentions', async () => {
    const edge = (kind: GraphEdge['kind'], to: number, weight: number): GraphEdge => ({
      kind,
      id: `${kind} ${to}`,
      source: root,
      target: node(to),
      type: kind,
      weight,
      validFrom: null,
      validTo: null,
    });
    const edges = [edge('mention', 1, 1), edge('relationship', 2, 0.6), edge('fact', 3, 0.4)];
    const limits = { hops: 1, nodesMax: 3, edgesMax: 20 };
    const found = await walkNeighbourhood(root, readerOf(edges, 0), limits);
    expect(found.nodes.map(({ id }) => id)).toEqual(['n00', 'n02', 'n01']);
    expect(found.nodes[0]?.hiddenNeighbours).toBe(1);
  });
});
