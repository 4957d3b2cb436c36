import { sql } from 'kysely';
import { type Db, readPage, type Tx } from '../../engine/index.ts';
import type { Account, KeyRecord } from './model.ts';

interface Page {
  readonly limit: number;
  readonly offset: number;
}

export async function insertAccount(db: Db, account: Account): Promise<void> {
  await db.insertInto('accounts').values(account).execute();
  await db.insertInto('streams').values({ account_id: account.id }).execute();
}

export const findAccount = (db: Db, id: string): Promise<Account | undefined> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

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
  set: Partial<Omit<Account, 'id' | 'created_at'>>,
): Promise<Account | undefined> =>
  db
    .updateTable('accounts')
    .set(set)
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
}

export async function insertKey(db: Db, key: KeyRecord): Promise<void> {
  await db.insertInto('api_keys').values(key).execute();
}

export type KeyWithAccount = KeyRecord & { suspended: boolean; deleted_at: Date | null };

export const findKeyByKeyId = (db: Db, keyId: string): Promise<KeyWithAccount | undefined> =>
  db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select(['accounts.suspended', 'accounts.deleted_at'])
    .where('key_id', '=', keyId)
    .executeTakeFirst();

export const findKey = (db: Db, accountId: string, id: string): Promise<KeyRecord | undefined> =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The key whose holder runs the whole installation; there is at most one. */
export const findOperatorKey = (db: Db): Promise<KeyRecord | undefined> =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where(sql<boolean>`'operator' = any(scopes)`)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();

export async function listKeyRows(
  db: Db,
  accountId: string,
  page: Page,
): Promise<{ keys: KeyRecord[]; total: number }> {
  const query = db
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id');
  const { rows, total } = await readPage(query, page);
  return { keys: rows, total };
}

export const updateKey = (
  db: Db,
  accountId: string,
  id: string,
  set: Partial<Pick<KeyRecord, 'revoked_at' | 'secret_hash' | 'previous_hash' | 'previous_until'>>,
): Promise<KeyRecord | undefined> =>
  db
    .updateTable('api_keys')
    .set(set)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export async function touchKey(db: Db, accountId: string, id: string, now: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** Two first starts on one database: the second waits, and then finds the account made. */
export async function lockAccounts(tx: Tx): Promise<void> {
  await sql`lock table accounts in share row exclusive mode`.execute(tx);
}

/** Another secret and another visible start, when the operator sets the key from outside. */
export async function replaceOperatorKey(db: Db, key: KeyRecord): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ key_id: key.key_id, secret_hash: key.secret_hash, previous_hash: null })
    .where('account_id', '=', key.account_id)
    .where('id', '=', key.id)
    .execute();
}
