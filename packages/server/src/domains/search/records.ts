import { type Ctx, canReadMemory } from '../ctx.ts';
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
  for (const record of records.values()) {
    if (!canReadMemory(ctx.actor, record)) records.delete(record.id);
  }
  return records;
}
