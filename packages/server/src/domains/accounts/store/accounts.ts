import { sql } from 'kysely';
import { type Db, readPage, type Tx } from '../../../database/index.ts';
import type { Page } from '../../../kernel/pagination.ts';
import type { Account } from '../model.ts';

export async function insertAccount(db: Db, account: Account): Promise<void> {
  const settings = JSON.stringify(account.settings);
  await db
    .insertInto('accounts')
    .values({ ...account, settings })
    .execute();
  await db.insertInto('streams').values({ account_id: account.id }).execute();
}

const accountOf = (db: Db, id: string) =>
  db.selectFrom('accounts').selectAll().where('id', '=', id).where('deleted_at', 'is', null);

export const findAccount = (db: Db, id: string): Promise<Account | undefined> =>
  accountOf(db, id).executeTakeFirst();

/** Locked until the transaction ends, for a change that depends on what is there. */
export const lockAccount = (tx: Tx, id: string): Promise<Account | undefined> =>
  accountOf(tx, id).forUpdate().executeTakeFirst();

/** It cannot be changed or deleted until the transaction ends; others may hold it as well. */
export const lockAccountForShare = (tx: Tx, id: string): Promise<Account | undefined> =>
  accountOf(tx, id).forShare().executeTakeFirst();

export async function listAccounts(
  db: Db,
  page: Page,
): Promise<{ accounts: Account[]; total: number }> {
  const query = db
    .selectFrom('accounts')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id');
  const { rows, total } = await readPage(query, page);
  return { accounts: rows, total };
}

export const updateAccountRow = (
  db: Db,
  id: string,
  { settings, ...set }: Partial<Omit<Account, 'id' | 'created_at'>>,
): Promise<Account | undefined> =>
  db
    .updateTable('accounts')
    .set({ ...set, ...(settings ? { settings: JSON.stringify(settings) } : {}) })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst();

/** Removes the account itself; keys and stream go with it. The domains' rows must be gone. */
export async function removeAccountRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('accounts').where('id', '=', id).execute();
}

/** Rows of the account that no domain owns. */
export async function removeAccountLeftovers(db: Db, id: string): Promise<void> {
  await db.deleteFrom('events').where('account_id', '=', id).execute();
  await db.deleteFrom('idempotency').where('account_id', '=', id).execute();
  await db.deleteFrom('usage_counters').where('account_id', '=', id).execute();
  await db.deleteFrom('audit_log').where('account_id', '=', id).execute();
}

/** Two first starts on one database: the second waits, and then finds the account made. */
export async function lockAccountTable(tx: Tx): Promise<void> {
  await sql`lock table accounts in share row exclusive mode`.execute(tx);
}
