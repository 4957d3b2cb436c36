import { sql } from 'kysely';
import { type Db, readPage, type Tx } from '../../../database/index.ts';
import type { Page } from '../../../kernel/pagination.ts';
import { type KeyWithAccount, keysWithAccount } from './keys.ts';

export interface TokenRecord {
  readonly account_id: string;
  readonly id: string;
  /** The API key that it was made with. */
  readonly key_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
}

/** Whose tokens a caller may see: of one key, or of keys that reach no further than `spaces`. */
export type TokenFilter =
  | { readonly keyId: string | null }
  | { readonly spaces: readonly string[] | null };

export async function insertToken(tx: Tx, token: TokenRecord): Promise<void> {
  await tx.insertInto('session_tokens').values(token).execute();
}

export type TokenKeyRecord = KeyWithAccount & { readonly token_revoked_at: Date | null };

/** The key that a token was made with; undefined where the token was never issued. */
export const findKeyByToken = (
  db: Db,
  { accountId, keyId, tokenId }: { accountId: string; keyId: string; tokenId: string },
): Promise<TokenKeyRecord | undefined> =>
  keysWithAccount(db)
    .innerJoin('session_tokens', (on) =>
      on
        .onRef('session_tokens.account_id', '=', 'api_keys.account_id')
        .onRef('session_tokens.key_id', '=', 'api_keys.id'),
    )
    .select('session_tokens.revoked_at as token_revoked_at')
    .where('api_keys.account_id', '=', accountId)
    .where('api_keys.id', '=', keyId)
    .where('session_tokens.id', '=', tokenId)
    .executeTakeFirst();

const selectTokens = (db: Db, accountId: string, reach: TokenFilter) => {
  const all = db.selectFrom('session_tokens').selectAll().where('account_id', '=', accountId);
  if ('keyId' in reach) return all.where('key_id', '=', reach.keyId);
  if (reach.spaces === null) return all;
  const keys = db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`space_ids <@ ${reach.spaces}::text[]`);
  return all.where('key_id', 'in', keys);
};

/** Those that neither expired nor were revoked, newest first. */
export async function listTokenRows(
  db: Db,
  accountId: string,
  reach: TokenFilter,
  { now, ...page }: Page & { now: Date },
): Promise<{ tokens: TokenRecord[]; total: number }> {
  const good = selectTokens(db, accountId, reach)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null);
  const newest = good.orderBy('created_at', 'desc').orderBy('id', 'desc');
  const { rows, total } = await readPage(newest, page);
  return { tokens: rows, total };
}

/** Locked until the transaction ends. */
export const lockToken = (
  tx: Tx,
  accountId: string,
  reach: TokenFilter,
  id: string,
): Promise<TokenRecord | undefined> =>
  selectTokens(tx, accountId, reach).where('id', '=', id).forUpdate().executeTakeFirst();

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

/** Of all accounts. */
export async function pruneTokens(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom('session_tokens').where('expires_at', '<', expiredBefore).execute();
}
