import { type Insertable, sql, type Updateable } from 'kysely';
import {
  acrossAvailableAccounts,
  type Db,
  isDue,
  readPage,
  type Tables,
  type Tx,
} from '../../../../database/index.ts';
import { canAccountSendCondition } from '../../../../events/delivery-pause.ts';
import type { PageRequest } from '../../../../kernel/pagination.ts';
import type { DigestRecord } from '../model.ts';

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('email_digests').selectAll().where('account_id', '=', accountId);

/** Newest first. With `visible`, only digests that are limited to these spaces. */
export function listDigestRows(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
  page: PageRequest,
): Promise<{ rows: DigestRecord[]; total: number }> {
  const all = selectOfAccount(db, accountId);
  const filtered = visible === null ? all : all.where(sql<boolean>`spaces <@ ${visible}::text[]`);
  return readPage(filtered.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

export const lockDigest = (
  tx: Tx,
  accountId: string,
  id: string,
): Promise<DigestRecord | undefined> =>
  selectOfAccount(tx, accountId).where('id', '=', id).forUpdate().executeTakeFirst();

/** Undefined if the name is in use. */
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

/** Locks the account's position, so that no digest is added until the transaction ends. */
export async function countDigests(tx: Tx, accountId: string): Promise<number> {
  await sql`select from account_positions where account_id = ${accountId}::uuid for update`.execute(
    tx,
  );
  const { count } = await tx
    .selectFrom('email_digests')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Throws a unique violation if the new name is in use. */
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

/** A month, plus a change of the zone's clocks. */
const waitMsMax = 32 * 86_400_000;

/** An object, so that the two ids cannot be confused. */
export interface DigestRef {
  readonly accountId: string;
  readonly digestId: string;
}

/**
 * Due digests of all accounts, the longest overdue first. None while deliveries are paused or the
 * account is suspended; afterwards, one mail covers all missed periods.
 */
export async function findDueDigests(db: Db, now: Date, limit: number): Promise<DigestRef[]> {
  const rows = await acrossAvailableAccounts(db, 'a job sends due digests')
    .selectFrom('email_digests')
    .select(['account_id', 'id'])
    .where(isDue('next_run_at', now, waitMsMax))
    .where(canAccountSendCondition('email_digests.account_id'))
    .orderBy('next_run_at')
    .limit(limit)
    .execute();
  return rows.map(({ account_id, id }) => ({ accountId: account_id, digestId: id }));
}

/** Locked until the transaction ends. Undefined: another process sends or has sent it. */
export const lockDueDigest = (
  tx: Tx,
  { accountId, digestId }: DigestRef,
  now: Date,
): Promise<DigestRecord | undefined> =>
  selectOfAccount(tx, accountId)
    .where('id', '=', digestId)
    .where(isDue('next_run_at', now, waitMsMax))
    .where(canAccountSendCondition('email_digests.account_id'))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
