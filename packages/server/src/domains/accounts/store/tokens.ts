import { sql } from 'kysely';
import { type Db, readPage, type Tx } from '../../../database/index.ts';
import type { PageRequest } from '../../../kernel/pagination.ts';
import { type KeyWithAccount, selectKeysWithAccount } from './keys.ts';

export interface TokenRecord {
  readonly account_id: string;
  readonly id: string;
  /** The API key that created the token. */
  readonly key_id: string;
  /** Whom the token is limited to; null: it has all rights of its key. */
  readonly user_id: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  /** Null: it cannot be renewed. */
  readonly renewable_until: Date | null;
  /** Only good for one renewal. */
  readonly single_use: boolean;
  /** Those of its key that the token is limited to; null: all of them. */
  readonly scopes: readonly string[] | null;
  readonly revoked_at: Date | null;
}

/** The tokens a caller may see: one, of one key, or of keys limited to a subset of `spaces`. */
export type TokenFilter =
  | { readonly tokenId: string | undefined }
  | { readonly keyId: string | null }
  | { readonly spaces: readonly string[] | null };

export async function insertToken(tx: Tx, token: TokenRecord): Promise<void> {
  const scopes = token.scopes && [...token.scopes];
  await tx
    .insertInto('session_tokens')
    .values({ ...token, scopes })
    .execute();
}

export type TokenKeyRecord = KeyWithAccount & {
  readonly token_revoked_at: Date | null;
  readonly token_user_id: string | null;
  readonly token_single_use: boolean;
  readonly token_scopes: readonly string[] | null;
};

/** The key that created a token; undefined if the token was never issued. */
export const findKeyByToken = (
  db: Db,
  { accountId, keyId, tokenId }: { accountId: string; keyId: string; tokenId: string },
): Promise<TokenKeyRecord | undefined> =>
  selectKeysWithAccount(db)
    .innerJoin('session_tokens', (on) =>
      on
        .onRef('session_tokens.account_id', '=', 'api_keys.account_id')
        .onRef('session_tokens.key_id', '=', 'api_keys.id'),
    )
    .select('session_tokens.revoked_at as token_revoked_at')
    .select('session_tokens.user_id as token_user_id')
    .select('session_tokens.single_use as token_single_use')
    .select('session_tokens.scopes as token_scopes')
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.id', '=', keyId)
    .where('session_tokens.id', '=', tokenId)
    .executeTakeFirst();

const selectTokens = (db: Db, accountId: string, filter: TokenFilter) => {
  const all = db.selectFrom('session_tokens').selectAll().where('account_id', '=', accountId);
  if ('tokenId' in filter) return all.where('id', '=', filter.tokenId ?? null);
  if ('keyId' in filter) return all.where('key_id', '=', filter.keyId);
  if (filter.spaces === null) return all;
  const keys = db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`space_ids <@ ${filter.spaces}::text[]`);
  return all.where('key_id', 'in', keys);
};

/** Tokens that are valid or can be renewed, newest first. */
export async function listTokenRows(
  db: Db,
  accountId: string,
  filter: TokenFilter,
  { now, ...page }: PageRequest & { now: Date },
): Promise<{ tokens: TokenRecord[]; total: number }> {
  const active = selectTokens(db, accountId, filter)
    .where((is) => is.or([is('expires_at', '>', now), is('renewable_until', '>', now)]))
    .where('revoked_at', 'is', null);
  const newest = active.orderBy('created_at', 'desc').orderBy('id', 'desc');
  const { rows, total } = await readPage(newest, page);
  return { tokens: rows, total };
}

/** Locks the token until the transaction ends. */
export const lockToken = (
  tx: Tx,
  accountId: string,
  filter: TokenFilter,
  id: string,
): Promise<TokenRecord | undefined> =>
  selectTokens(tx, accountId, filter).where('id', '=', id).forUpdate().executeTakeFirst();

export async function revokeTokenRow(
  tx: Tx,
  { account_id, id }: TokenRecord,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('session_tokens')
    .set({ revoked_at: now })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export async function extendTokenRow(
  tx: Tx,
  { account_id, id }: TokenRecord,
  expiresAt: Date,
): Promise<void> {
  await tx
    .updateTable('session_tokens')
    .set({ expires_at: expiresAt })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Deletes tokens of all accounts that expired and can no longer be renewed. */
export async function pruneTokens(db: Db, expiredBefore: Date): Promise<void> {
  await db
    .deleteFrom('session_tokens')
    .where('expires_at', '<', expiredBefore)
    .where((is) =>
      is.or([is('renewable_until', 'is', null), is('renewable_until', '<', expiredBefore)]),
    )
    .execute();
}
