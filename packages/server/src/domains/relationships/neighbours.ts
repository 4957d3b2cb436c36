import { limits } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { createAdjacencyReader } from './adjacency.ts';
import { hyphenated, withoutHyphens } from './store/frontier.ts';
import { type Edge, takeVisible } from './walk.ts';

export interface Neighbour {
  readonly id: string;
  /** The memory that the relationship starts from. */
  readonly from: string;
  /** 0..1, after decay. */
  readonly strength: number;
}

/**
 * Active, visible memories one step from any of these, strongest edges first, each memory once: by
 * its strongest edge, among equally strong ones by that of the first start.
 */
export async function neighboursOf(
  ctx: Ctx,
  starts: readonly { readonly id: string }[],
): Promise<Neighbour[]> {
  if (starts.length === 0) return [];
  const ids = starts.map(({ id }) => id);
  const adjacency = createAdjacencyReader(ctx, { direction: 'both' }, ctx.clock.now());
  const ordinals = new Map(ids.map((id, ordinal) => [withoutHyphens(id), ordinal]));
  const isBetter = (edge: Edge, rival: Edge): boolean =>
    edge.strength > rival.strength ||
    (edge.strength === rival.strength &&
      (ordinals.get(edge.from) ?? 0) < (ordinals.get(rival.from) ?? 0));
  const best = new Map<string, Edge>();
  const { edges } = await adjacency.edges(ids, null);
  for (const edge of edges) {
    if (ordinals.has(edge.to) || edge.strength === 0) continue;
    const rival = best.get(edge.to);
    if (!rival || isBetter(edge, rival)) best.set(edge.to, edge);
  }
  const ordered = [...best.values()].sort(
    (a, b) => b.strength - a.strength || (a.to < b.to ? -1 : 1),
  );
  const { first } = await takeVisible(
    ordered,
    ({ to }) => to,
    adjacency.filterVisible,
    limits.graphNodesMax,
  );
  return first.map(({ from, to, strength }) => ({
    id: hyphenated(to),
    from: hyphenated(from),
    strength,
  }));
}
