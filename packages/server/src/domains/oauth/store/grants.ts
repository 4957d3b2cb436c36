import { sql } from 'kysely';
import { type Db, readPage, type Tx } from '../../../database/index.ts';
import type { PageRequest } from '../../../kernel/pagination.ts';

/** What a person allowed a client, with the code that the client exchanges for tokens. */
export interface GrantRecord {
  readonly account_id: string;
  readonly id: string;
  readonly key_id: string;
  readonly key_fingerprint: string;
  readonly client_id: string;
  readonly client_name: string | null;
  readonly resource: string;
  readonly scopes: string[];
  /** Null: all spaces, of a key that reaches all. */
  readonly space_ids: string[] | null;
  /** Whom it is limited to; null: memories of everybody. */
  readonly user_id: string | null;
  readonly code_hash: Uint8Array;
  readonly code_challenge: string;
  readonly redirect_uri: string;
  readonly code_expires_at: Date;
  /** When the code was exchanged. */
  readonly redeemed_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
}

export async function insertGrant(tx: Tx, grant: GrantRecord): Promise<void> {
  await tx.insertInto('oauth_grants').values(grant).execute();
}

export const findGrantByCode = (db: Db, hash: Uint8Array): Promise<GrantRecord | undefined> =>
  db.selectFrom('oauth_grants').selectAll().where('code_hash', '=', hash).executeTakeFirst();

export const findGrant = (
  db: Db,
  accountId: string,
  id: string,
): Promise<GrantRecord | undefined> =>
  db
    .selectFrom('oauth_grants')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Locks the grant until the transaction ends. */
export const lockGrant = (
  tx: Tx,
  accountId: string,
  id: string,
): Promise<GrantRecord | undefined> =>
  tx
    .selectFrom('oauth_grants')
    .selectAll()
    .forUpdate()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

export async function updateGrant(
  tx: Tx,
  { account_id, id }: Pick<GrantRecord, 'account_id' | 'id'>,
  set: Partial<Pick<GrantRecord, 'redeemed_at' | 'expires_at' | 'revoked_at'>>,
): Promise<void> {
  await tx
    .updateTable('oauth_grants')
    .set(set)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** The grants of an account, or those that are limited to a subset of `spaces`. */
const selectGrants = (db: Db, accountId: string, spaces: readonly string[] | null) => {
  const all = db.selectFrom('oauth_grants').selectAll().where('account_id', '=', accountId);
  return spaces === null ? all : all.where(sql<boolean>`space_ids <@ ${spaces}::text[]`);
};

/** Grants with tokens that are neither expired nor revoked, newest first. */
export async function listGrantRows(
  db: Db,
  accountId: string,
  spaces: readonly string[] | null,
  { now, ...page }: PageRequest & { now: Date },
): Promise<{ grants: GrantRecord[]; total: number }> {
  const active = selectGrants(db, accountId, spaces)
    .where('redeemed_at', 'is not', null)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null);
  const newest = active.orderBy('created_at', 'desc').orderBy('id', 'desc');
  const { rows, total } = await readPage(newest, page);
  return { grants: rows, total };
}

/** Locks the grant, if the caller may see it, until the transaction ends. */
export const lockVisibleGrant = (
  tx: Tx,
  accountId: string,
  spaces: readonly string[] | null,
  id: string,
): Promise<GrantRecord | undefined> =>
  selectGrants(tx, accountId, spaces).where('id', '=', id).forUpdate().executeTakeFirst();

/** Deletes grants of all accounts that ended before `before`, with their tokens. */
export async function pruneGrants(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('oauth_grants')
    .where((or) => or.or([or('expires_at', '<', before), or('revoked_at', '<', before)]))
    .execute();
}
