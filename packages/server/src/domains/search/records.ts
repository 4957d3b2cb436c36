import { type Ctx, canReadSpace } from '../ctx.ts';
import { type MemoryRecord, memoriesById } from '../memories/index.ts';

/**
 * Loads the memories that the index found, by id. Memories that were moved or deleted since then
 * are omitted: the record decides.
 */
export async function loadVisibleMemories(
  ctx: Ctx,
  visible: readonly { readonly id: string }[],
): Promise<Map<string, MemoryRecord>> {
  const records = await memoriesById(
    ctx,
    visible.map(({ id }) => id),
  );
  for (const { id, space_id } of records.values()) {
    if (!canReadSpace(ctx.actor, space_id)) records.delete(id);
  }
  return records;
}
