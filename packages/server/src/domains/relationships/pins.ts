import type { HookCtx, MemoryChange } from '../memories/index.ts';
import { adjustPinnedCounts } from './store/relationships.ts';

/** A pinned memory pauses the decay of its relationships. */
export async function updatePinnedCounts(
  { tx }: HookCtx,
  changes: readonly MemoryChange[],
): Promise<void> {
  for (const { before, after } of changes) {
    if (!before || !after || before.is_pinned === after.is_pinned) continue;
    await adjustPinnedCounts(tx, after.account_id, after.id, after.is_pinned ? 1 : -1);
  }
}
