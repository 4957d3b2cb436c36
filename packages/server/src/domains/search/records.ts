import { type Ctx, canReadSpace } from '../ctx.ts';
import { type MemoryRecord, memoriesById } from '../memories/index.ts';

/**
 * The memories that the index found, by id. What was moved or deleted since it was asked is left
 * out: the record has the last word.
 */
export async function loadVisibleRecords(
  ctx: Ctx,
  found: readonly { readonly id: string }[],
): Promise<Map<string, MemoryRecord>> {
  const records = await memoriesById(
    ctx,
    found.map(({ id }) => id),
  );
  for (const { id, space_id } of records.values()) {
    if (!canReadSpace(ctx.actor, space_id)) records.delete(id);
  }
  return records;
}
