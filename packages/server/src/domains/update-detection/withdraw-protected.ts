import type { HookCtx, MemoryChange } from '../memories/index.ts';
import { clearLikelySuccessors } from '../search-index/index.ts';
import { deleteOpenSuggestions } from './store/suggestions.ts';

/** Protection says that a memory holds: what was suggested to outdate it is withdrawn. */
export async function withdrawProtected(
  { tx }: HookCtx,
  changes: readonly MemoryChange[],
): Promise<void> {
  const protectedNow = changes.flatMap(({ before, after }) =>
    before?.protection_level === 'none' && after && after.protection_level !== 'none'
      ? [after]
      : [],
  );
  for (const [accountId, own] of Map.groupBy(protectedNow, (record) => record.account_id)) {
    const olderIds = own.map(({ id }) => id);
    await deleteOpenSuggestions(tx, accountId, { newerIds: [], olderIds });
    await clearLikelySuccessors(tx, accountId, olderIds);
  }
}
