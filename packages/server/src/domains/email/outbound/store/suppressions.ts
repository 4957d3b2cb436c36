import { type Insertable, type Selectable, sql } from 'kysely';
import { type Db, readPage, type Tables, type Tx } from '../../../../database/index.ts';
import type { PageRequest } from '../../../../kernel/pagination.ts';

export type SuppressionRecord = Selectable<Tables['email_suppressions']>;

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('email_suppressions').selectAll().where('account_id', '=', accountId);

export async function isSuppressed(db: Db, accountId: string, email: string): Promise<boolean> {
  const rows = selectOfAccount(db, accountId).where('email', '=', email.toLowerCase());
  return (await rows.executeTakeFirst()) !== undefined;
}

/** Keeps the first reason. */
export async function insertSuppression(
  tx: Tx,
  row: Insertable<Tables['email_suppressions']>,
): Promise<void> {
  await tx
    .insertInto('email_suppressions')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'email']).doNothing())
    .execute();
}

/** Newest first. */
export const listSuppressionRows = (
  db: Db,
  accountId: string,
  page: PageRequest,
): Promise<{ rows: SuppressionRecord[]; total: number }> =>
  readPage(
    selectOfAccount(db, accountId).orderBy('created_at', 'desc').orderBy(sql`email collate "C"`),
    page,
  );

/** False if there is none. */
export async function deleteSuppression(
  db: Db,
  accountId: string,
  email: string,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('email_suppressions')
    .where('account_id', '=', accountId)
    .where('email', '=', email.toLowerCase())
    .returning('email')
    .executeTakeFirst();
  return deleted !== undefined;
}
