import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';

/**
 * Runs in the transaction that removes the rows, which may still roll back. The upsert locks names
 * that are marked already, so that `unmarkUnusedBlobs` waits for the end of the transaction.
 */
export async function markBlobsUnused(tx: Tx, names: readonly string[], now: Date): Promise<void> {
  if (names.length === 0) return;
  await tx
    .insertInto('unused_blobs')
    .values(names.toSorted().map((name) => ({ name, created_at: now })))
    .onConflict((on) => on.column('name').doUpdateSet({ created_at: now }))
    .execute();
}

export async function listUnusedBlobs(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('unused_blobs')
    .select('name')
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}

export async function unmarkUnusedBlobs(db: Db, names: readonly string[]): Promise<void> {
  await sql`delete from unused_blobs where name = any(${names}::text[])`.execute(db);
}
