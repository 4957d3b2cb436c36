import { sql } from 'kysely';
import type { Tx } from '../../../database/index.ts';
import type { MemoryRecord } from '../model.ts';
import { memoryColumns, selectUnerasedMemories } from './memories.ts';

/** Locked in the order of ids; other transactions may still insert rows that reference them. */
export const lockMemoriesForNoKeyUpdate = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<MemoryRecord[]> =>
  selectUnerasedMemories(tx, accountId)
    .select(memoryColumns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/**
 * Writes scores of memories. The revision stays the same: scores are computed in the background,
 * which must not fail a caller's If-Match.
 */
export async function saveQuality(
  tx: Tx,
  accountId: string,
  scores: readonly { readonly id: string; readonly score: number }[],
): Promise<void> {
  if (scores.length === 0) return;
  await sql`
    update memories as m set quality_score = row.score
    from json_to_recordset(${JSON.stringify(scores)}::json) as row (id uuid, score float8)
    where m.account_id = ${accountId}::uuid and m.id = row.id`.execute(tx);
}
