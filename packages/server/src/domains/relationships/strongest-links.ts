import { type Ctx, visibilityOf } from '../ctx.ts';
import { nodesPerStatement } from './adjacency.ts';
import { effectiveWeight, toStrength } from './model.ts';
import { type LinkFilter, readVisibleLinks } from './store/visible-links.ts';

/** A relationship of two memories; `strength` is 0..1, after decay. */
export interface MemoryLink {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly type: string;
  readonly strength: number;
}

/**
 * Of each of these memories the strongest relationships, at most `countMax`, and among equally
 * strong ones those with the smallest ids; both memories are active, visible, and match the filter.
 */
export async function strongestLinksOf(
  ctx: Ctx,
  memoryIds: readonly string[],
  filter: LinkFilter,
  countMax: number,
): Promise<MemoryLink[]> {
  const visibility = { accountId: ctx.actor.accountId, visible: visibilityOf(ctx.actor) };
  const now = ctx.clock.now();
  const read = { nodes: 0, edges: 0 };
  const strongest = new Map<string, MemoryLink>();
  for (let position = 0; position < memoryIds.length; ) {
    const batch = memoryIds.slice(position, position + nodesPerStatement(read));
    position += batch.length;
    const rows = await readVisibleLinks(ctx.engine.db, visibility, batch, filter);
    read.nodes += batch.length;
    read.edges += rows.length;
    for (const links of Map.groupBy(rows, ({ near }) => near).values()) {
      const weighed = links.map((row) => ({
        id: row.id,
        sourceId: row.source_id,
        targetId: row.target_id,
        type: row.type,
        strength: toStrength(effectiveWeight(row, now)),
      }));
      weighed.sort((a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1));
      for (const link of weighed.slice(0, countMax)) strongest.set(link.id, link);
    }
  }
  return [...strongest.values()];
}
