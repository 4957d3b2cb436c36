import { type Insertable, sql, type Updateable } from 'kysely';
import { type Db, isDue, readPage, type Tables, type Tx } from '../../../database/index.ts';
import { canSend } from '../../../events/delivery-pause.ts';
import type { Page } from '../../../kernel/pagination.ts';
import type { DigestRecord } from './model.ts';

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('email_digests').selectAll().where('account_id', '=', accountId);

/** Newest first; of a key that is limited to spaces those alone that tell of no others. */
export function listDigestRows(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
  page: Page,
): Promise<{ rows: DigestRecord[]; total: number }> {
  const all = selectOfAccount(db, accountId);
  const seen = visible === null ? all : all.where(sql<boolean>`spaces <@ ${visible}::text[]`);
  return readPage(seen.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

export const lockDigest = (
  tx: Tx,
  accountId: string,
  id: string,
): Promise<DigestRecord | undefined> =>
  selectOfAccount(tx, accountId).where('id', '=', id).forUpdate().executeTakeFirst();

/** Undefined where the name is taken. */
export const insertDigest = (
  tx: Tx,
  row: Insertable<Tables['email_digests']>,
): Promise<DigestRecord | undefined> =>
  tx
    .insertInto('email_digests')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** How many there are; nobody else of the account makes one until the transaction ends. */
export async function countDigests(tx: Tx, accountId: string): Promise<number> {
  await sql`select from streams where account_id = ${accountId}::uuid for update`.execute(tx);
  const { count } = await tx
    .selectFrom('email_digests')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Throws a unique violation where its new name is taken. */
export const updateDigestRow = (
  tx: Tx,
  { account_id, id }: DigestRecord,
  set: Updateable<Tables['email_digests']>,
): Promise<DigestRecord> =>
  tx
    .updateTable('email_digests')
    .set(set)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function deleteDigest(tx: Tx, { account_id, id }: DigestRecord): Promise<void> {
  await tx
    .deleteFrom('email_digests')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** A month, and what the clocks of a zone are changed by. */
const waitMsMax = 32 * 86_400_000;

/** Which digest; in an object, so that no two ids are ever taken for each other. */
export interface DigestRef {
  readonly accountId: string;
  readonly digestId: string;
}

/**
 * Those of any account whose period is over, the longest first. None while deliveries are paused or
 * the account is suspended: after it, one mail covers all periods that were missed.
 */
export async function findDueDigests(db: Db, now: Date, limit: number): Promise<DigestRef[]> {
  const rows = await db
    .selectFrom('email_digests')
    .select(['account_id', 'id'])
    .where(isDue('next_at', now, waitMsMax))
    .where(canSend('email_digests.account_id'))
    .orderBy('next_at')
    .limit(limit)
    .execute();
  return rows.map(({ account_id, id }) => ({ accountId: account_id, digestId: id }));
}

/** Locked until the transaction ends; undefined where another sends it, or has sent it by now. */
export const lockDueDigest = (
  tx: Tx,
  { accountId, digestId }: DigestRef,
  now: Date,
): Promise<DigestRecord | undefined> =>
  selectOfAccount(tx, accountId)
    .where('id', '=', digestId)
    .where(isDue('next_at', now, waitMsMax))
    .where(canSend('email_digests.account_id'))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
