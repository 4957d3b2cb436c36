import { sql } from 'kysely';
import type { Tx } from '../../../database/index.ts';
import type { MemoryRecord } from '../model.ts';
import { memoryColumns, selectUnerased } from './memories.ts';

/** Locked in the order of ids; rows that refer to them may still be written by others. */
export const lockMemoriesForNoKeyUpdate = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<MemoryRecord[]> =>
  selectUnerased(tx, accountId)
    .select(memoryColumns)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/**
 * A score by memory. The revision stays: like salience it is computed beside what callers write,
 * and no If-Match may fail because a memory was read in the background.
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
