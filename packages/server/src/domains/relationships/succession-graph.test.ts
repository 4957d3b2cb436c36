import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SuccessionEdge, SuccessionGraph } from './succession-graph.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const edge = fc.record({
  newerId: fc.constantFrom(...ids),
  olderId: fc.constantFrom(...ids),
});

/** Removes what supersedes nothing that is left, until nothing is left or only cycles are. */
function hasCycle(edges: readonly SuccessionEdge[]): boolean {
  let left = edges;
  for (;;) {
    const newer = new Set(left.map(({ newerId }) => newerId));
    const next = left.filter(({ olderId }) => newer.has(olderId));
    if (next.length === left.length) return next.length > 0;
    left = next;
  }
}

describe('SuccessionGraph', () => {
  it('refuses an edge exactly if it closes a cycle', () => {
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
        const graph = new SuccessionGraph([]);
        const accepted: SuccessionEdge[] = [];
        for (const next of edges) {
          const closes = hasCycle([...accepted, next]);
          if (closes) expect(() => graph.requireNoCycle(next)).toThrow(/cannot supersede itself/);
          else {
            graph.requireNoCycle(next);
            graph.add(next);
            accepted.push(next);
          }
        }
      }),
    );
  });
});
