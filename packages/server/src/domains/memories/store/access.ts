import { type Owner, ownerNames } from '@mneme/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../database/index.ts';
import type { MemoryRecord } from '../model.ts';
import { selectUnerasedMemories } from './memories.ts';

/** The columns of active memories that an access needs; locked like `lockMemories`. */
export const lockSalience = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<
  Pick<MemoryRecord, 'id' | 'space_id' | keyof Owner | 'salience' | 'salience_at' | 'is_pinned'>[]
> =>
  selectUnerasedMemories(tx, accountId)
    .select(['id', 'space_id', ...ownerNames, 'salience', 'salience_at', 'is_pinned'])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Writes access counts and salience of a batch of reads; the revision stays the same. */
export async function recordAccessRows(
  tx: Tx,
  accountId: string,
  accesses: readonly { id: string; count: number; salience: number }[],
  now: Date,
): Promise<void> {
  // With the whole key as parameters, as in saveMemories.
  const ids = accesses.map(({ id }) => id);
  await sql`
    update memories as m set
      access_count = m.access_count + row.count, salience = row.salience,
      salience_at = ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(accesses)}::json)
      as row (id uuid, count integer, salience float8)
    where m.account_id = ${accountId}::uuid and m.id = any(${ids}::uuid[]) and m.id = row.id
  `.execute(tx);
}

export interface FeedbackRecord {
  readonly account_id: string;
  readonly id: string;
  readonly memory_id: string;
  readonly helpful: boolean;
  readonly query: string | null;
  readonly comment: string | null;
  readonly created_at: Date;
}

export async function insertFeedback(tx: Tx, feedback: FeedbackRecord): Promise<void> {
  await tx.insertInto('feedback').values(feedback).execute();
}
