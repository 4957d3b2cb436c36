import {
  advisoryLock,
  type Db,
  readPage,
  sharedAdvisoryLock,
  type Tx,
} from '../../../database/index.ts';
import type { PageRequest } from '../../../kernel/pagination.ts';
import type { Account } from '../model.ts';

export async function insertAccount(db: Db, account: Account): Promise<void> {
  const settings = JSON.stringify(account.settings);
  await db
    .insertInto('accounts')
    .values({ ...account, settings })
    .execute();
  await db.insertInto('account_positions').values({ account_id: account.id }).execute();
}

const accountOf = (db: Db, id: string) =>
  db.selectFrom('accounts').selectAll().where('id', '=', id).where('deleted_at', 'is', null);

export const findAccount = (db: Db, id: string): Promise<Account | undefined> =>
  accountOf(db, id).executeTakeFirst();

const lockOf = (id: string): string => `account ${id}`;

/** Locks the account until the transaction ends, for a change that depends on its state. */
export async function lockAccount(tx: Tx, id: string): Promise<Account | undefined> {
  await advisoryLock(tx, lockOf(id));
  return findAccount(tx, id);
}

/** Prevents changes and deletion until the transaction ends; a shared lock. */
export async function lockAccountForShare(tx: Tx, id: string): Promise<Account | undefined> {
  await sharedAdvisoryLock(tx, lockOf(id));
  return findAccount(tx, id);
}

export async function listAccounts(
  db: Db,
  page: PageRequest,
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

/** Removes the account row; keys and positions cascade. Rows of domains must be removed before. */
export async function removeAccountRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('accounts').where('id', '=', id).execute();
}

/** Removes rows of the account that no domain owns. */
export async function removeAccountLeftovers(db: Db, id: string): Promise<void> {
  await db.deleteFrom('events').where('account_id', '=', id).execute();
  await db.deleteFrom('idempotency').where('account_id', '=', id).execute();
  await db.deleteFrom('usage_counters').where('account_id', '=', id).execute();
  await db.deleteFrom('audit_log').where('account_id', '=', id).execute();
}
