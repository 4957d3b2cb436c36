import type { Db } from '../../../database/index.ts';

/** A person who signed in with an API key, in one browser. */
export interface BrowserSessionRecord {
  readonly account_id: string;
  readonly id: string;
  readonly key_id: string;
  /** Of the secret that the person entered. */
  readonly key_fingerprint: string;
  readonly secret_hash: Uint8Array;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export async function insertSession(db: Db, session: BrowserSessionRecord): Promise<void> {
  await db.insertInto('browser_sessions').values(session).execute();
}

export const findSessionByHash = (
  db: Db,
  hash: Uint8Array,
): Promise<BrowserSessionRecord | undefined> =>
  db.selectFrom('browser_sessions').selectAll().where('secret_hash', '=', hash).executeTakeFirst();

export async function deleteSession(db: Db, hash: Uint8Array): Promise<void> {
  await db.deleteFrom('browser_sessions').where('secret_hash', '=', hash).execute();
}

/** Deletes expired sessions of all accounts. */
export async function pruneSessions(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom('browser_sessions').where('expires_at', '<', expiredBefore).execute();
}
