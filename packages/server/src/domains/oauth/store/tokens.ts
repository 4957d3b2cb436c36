import type { Db, Tx } from '../../../database/index.ts';

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
