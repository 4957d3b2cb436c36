import { sql } from 'kysely';
import { type Db, readPage, type Tx } from '../../../database/index.ts';
import type { PageRequest } from '../../../kernel/pagination.ts';
import type { KeyRecord } from '../model.ts';

export async function insertKey(db: Db, key: KeyRecord): Promise<void> {
  await db.insertInto('api_keys').values(key).execute();
}

export type KeyWithAccount = KeyRecord & {
  readonly plan: string;
  readonly settings: Record<string, unknown>;
  readonly suspended: boolean;
  readonly deleted_at: Date | null;
};

export const selectKeysWithAccount = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select(['accounts.plan', 'accounts.settings', 'accounts.suspended', 'accounts.deleted_at']);

/**
 * The key with this id and this hash, current or in its grace period. A wrong secret finds no row,
 * like an unknown id: reading a row would take longer and reveal that the id exists.
 */
export const findKeyByHash = (
  db: Db,
  keyId: string,
  hash: Uint8Array,
): Promise<KeyWithAccount | undefined> =>
  selectKeysWithAccount(db)
    .where('key_id', '=', keyId)
    .where((or) => or.or([or('secret_hash', '=', hash), or('previous_hash', '=', hash)]))
    .executeTakeFirst();

export const findKeyWithAccount = (
  db: Db,
  accountId: string,
  id: string,
): Promise<KeyWithAccount | undefined> =>
  selectKeysWithAccount(db)
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.id', '=', id)
    .executeTakeFirst();

/** Locks the key until the transaction ends. */
export const lockKey = (tx: Tx, accountId: string, id: string): Promise<KeyRecord | undefined> =>
  tx
    .selectFrom('api_keys')
    .selectAll()
    .forUpdate()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The key that may operate the whole instance; there is at most one. */
export const findOperatorKey = (db: Db): Promise<KeyRecord | undefined> =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where(sql<boolean>`'operator' = any(scopes)`)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();

/** @param visible lists only keys limited to a subset of these spaces; null: all keys */
export async function listKeyRows(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
  page: PageRequest,
): Promise<{ keys: KeyRecord[]; total: number }> {
  const all = db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId);
  const seen = visible === null ? all : all.where(sql<boolean>`space_ids <@ ${visible}::text[]`);
  const { rows, total } = await readPage(seen.orderBy('created_at').orderBy('id'), page);
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

/** Writes at most once in `everyMs`, even if several processes see the key used. */
export async function updateKeyLastUsed(
  db: Db,
  accountId: string,
  id: string,
  use: { now: Date; everyMs: number },
): Promise<void> {
  const before = new Date(use.now.getTime() - use.everyMs);
  await db
    .updateTable('api_keys')
    .set({ last_used_at: use.now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<=', before)]))
    .execute();
}

/** Replaces secret and visible id when the operator sets the key by a setting. */
export async function replaceOperatorKey(db: Db, key: KeyRecord): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({
      key_id: key.key_id,
      secret_hash: key.secret_hash,
      previous_hash: null,
      previous_until: null,
    })
    .where('account_id', '=', key.account_id)
    .where('id', '=', key.id)
    .execute();
}
