import type { SpanningTree } from './spanning-tree.ts';

/**
 * The single-linkage hierarchy. Nodes below `count` are points; the others join their children at a
 * distance, and the last is the root. Links of equal weight join at once, so a node may have many
 * children, and the result does not depend on the order of the points.
 */
export interface Dendrogram {
  readonly count: number;
  readonly children: readonly (readonly number[])[];
  /** The distance at which the children of `count + i` separate. */
  readonly distance: readonly number[];
  /** Number of points below each node. */
  readonly size: readonly number[];
}

/** @param tree with at least one edge; it has one point more than edges */
export function buildDendrogram({ from, to, weight }: SpanningTree): Dendrogram {
  const count = weight.length + 1;
  const parts = new DisjointSets(count);
  const children: number[][] = [];
  const distance: number[] = [];
  const size: number[] = Array.from({ length: count }, () => 1);
  /** The node of each component, by its leader. */
  const nodes = Int32Array.from({ length: count }, (_, i) => i);
  for (let first = 0; first < weight.length; ) {
    let end = first;
    while (end < weight.length && weight[end] === weight[first]) end += 1;
    const before = new Set<number>();
    for (let edge = first; edge < end; edge += 1) {
      before.add(parts.find(from[edge] as number)).add(parts.find(to[edge] as number));
    }
    for (let edge = first; edge < end; edge += 1) {
      parts.union(from[edge] as number, to[edge] as number);
    }
    const joined = new Map<number, number[]>();
    for (const leader of before) {
      const now = parts.find(leader);
      const members = joined.get(now) ?? [];
      if (members.push(nodes[leader] as number) === 1) joined.set(now, members);
    }
    for (const [leader, members] of joined) {
      nodes[leader] = count + children.length;
      children.push(members);
      distance.push(weight[first] as number);
      size.push(members.reduce((sum, member) => sum + (size[member] as number), 0));
    }
    first = end;
  }
  return { count, children, distance, size };
}

/** Disjoint sets of points. */
class DisjointSets {
  readonly #parents: Int32Array;

  constructor(count: number) {
    this.#parents = Int32Array.from({ length: count }, (_, i) => i);
  }

  find(point: number): number {
    const above = this.#parents;
    let at = point;
    while (above[at] !== at) {
      above[at] = above[above[at] as number] as number;
      at = above[at] as number;
    }
    return at;
  }

  union(a: number, b: number): void {
    this.#parents[this.find(a)] = this.find(b);
  }
}
