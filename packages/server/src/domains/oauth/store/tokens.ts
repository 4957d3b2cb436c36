import type { Db, Tx } from '../../../database/index.ts';
import type { GrantRecord } from './grants.ts';

export interface OAuthTokenRecord {
  readonly account_id: string;
  readonly id: string;
  readonly grant_id: string;
  readonly kind: 'access' | 'refresh';
  readonly token_hash: Uint8Array;
  readonly scopes: string[];
  readonly created_at: Date;
  readonly expires_at: Date;
  /** Of a refresh token: when it was exchanged. */
  readonly used_at: Date | null;
}

export async function insertTokens(tx: Tx, tokens: readonly OAuthTokenRecord[]): Promise<void> {
  await tx
    .insertInto('oauth_tokens')
    .values([...tokens])
    .execute();
}

export const findToken = async (
  db: Db,
  hash: Uint8Array,
): Promise<OAuthTokenRecord | undefined> => {
  const row = await db
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  return row as OAuthTokenRecord | undefined;
};

/** An access token with what was allowed. */
type AccessTokenRecord = Omit<GrantRecord, 'scopes' | 'expires_at'> & {
  readonly token_id: string;
  readonly token_scopes: string[];
  readonly token_expires_at: Date;
};

export const findAccessToken = (db: Db, hash: Uint8Array): Promise<AccessTokenRecord | undefined> =>
  db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', (on) =>
      on
        .onRef('oauth_grants.account_id', '=', 'oauth_tokens.account_id')
        .onRef('oauth_grants.id', '=', 'oauth_tokens.grant_id'),
    )
    .selectAll('oauth_grants')
    .select([
      'oauth_tokens.id as token_id',
      'oauth_tokens.scopes as token_scopes',
      'oauth_tokens.expires_at as token_expires_at',
    ])
    .where('oauth_tokens.token_hash', '=', hash)
    .where('oauth_tokens.kind', '=', 'access')
    .executeTakeFirst();

/** False if it was used before: of two exchanges at the same time, one is the first. */
export async function useToken(
  tx: Tx,
  { account_id, id }: OAuthTokenRecord,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('oauth_tokens')
    .set({ used_at: now })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteToken(db: Db, { account_id, id }: OAuthTokenRecord): Promise<void> {
  await db
    .deleteFrom('oauth_tokens')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Deletes expired tokens of all accounts. */
export async function pruneOAuthTokens(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom('oauth_tokens').where('expires_at', '<', expiredBefore).execute();
}
