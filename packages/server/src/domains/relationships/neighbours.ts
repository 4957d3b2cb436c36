import { limits } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { createAdjacency } from './adjacency.ts';
import { hyphenated, withoutHyphens } from './store/frontier.ts';
import { type Edge, takeVisible } from './walk.ts';

export interface Neighbour {
  readonly id: string;
  /** The memory whose relationship leads here. */
  readonly from: string;
  /** 0..1, after decay. */
  readonly strength: number;
}

/**
 * Active, visible memories one step from any of these, the strongest ties first, each once: by its
 * strongest tie, among equally strong ones by that of the first start.
 */
export async function neighboursOf(
  ctx: Ctx,
  starts: readonly { readonly id: string }[],
): Promise<Neighbour[]> {
  if (starts.length === 0) return [];
  const ids = starts.map(({ id }) => id);
  const ground = createAdjacency(ctx, { direction: 'both' }, ctx.clock.now());
  const placeOf = new Map(ids.map((id, place) => [withoutHyphens(id), place]));
  const isNearer = (edge: Edge, rival: Edge): boolean =>
    edge.strength > rival.strength ||
    (edge.strength === rival.strength &&
      (placeOf.get(edge.from) ?? 0) < (placeOf.get(rival.from) ?? 0));
  const best = new Map<string, Edge>();
  const { edges } = await ground.edges(ids, null);
  for (const edge of edges) {
    if (placeOf.has(edge.to) || edge.strength === 0) continue;
    const rival = best.get(edge.to);
    if (!rival || isNearer(edge, rival)) best.set(edge.to, edge);
  }
  const ordered = [...best.values()].sort(
    (a, b) => b.strength - a.strength || (a.to < b.to ? -1 : 1),
  );
  const { first } = await takeVisible(
    ordered,
    ({ to }) => to,
    ground.filterVisible,
    limits.graphNodesMax,
  );
  return first.map(({ from, to, strength }) => ({
    id: hyphenated(to),
    from: hyphenated(from),
    strength,
  }));
}
