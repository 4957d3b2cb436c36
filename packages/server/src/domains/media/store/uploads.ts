import { type OwnerFilter, ownerNames } from '@mneme/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import {
  acrossAvailableAccounts,
  type Db,
  isLeaseExpired,
  type LeasedRow,
  type Tables,
  type Tx,
} from '../../../database/index.ts';

export type UploadRow = Selectable<Tables['media_uploads']>;
export type NewUpload = Insertable<Tables['media_uploads']>;
/** The memory of an upload, and whether it existed before. */
export type UploadResult = { readonly memory_id: string; readonly is_duplicate: boolean };
export type UploadPart = Selectable<Tables['media_upload_parts']>;

const selectUpload = (db: Db, accountId: string, id: string) =>
  db
    .selectFrom('media_uploads')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id);

export const findUpload = (db: Db, accountId: string, id: string): Promise<UploadRow | undefined> =>
  selectUpload(db, accountId, id).executeTakeFirst();

export async function insertUpload(tx: Tx, row: NewUpload): Promise<UploadRow> {
  return tx.insertInto('media_uploads').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Counts unfinished uploads. */
export async function countUploads(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('media_uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('memory_id', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * The latest request wins: the server may not have detected yet that an earlier connection broke.
 * `until` is set once all bytes are received and the upload is being completed. Returns undefined
 * if another holder completes the upload or it is gone. `lease_until` without a holder is the time
 * of the next retry, which does not block a request.
 */
export const acquireUploadLease = (
  db: Db,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  { holder, now, until }: { holder: string; now: Date; until: Date | null },
): Promise<UploadRow | undefined> =>
  db
    .updateTable('media_uploads')
    .set({ leased_by: holder, lease_until: until })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where((where) =>
      where.or([where('leased_by', 'is', null), isLeaseExpired('lease_until', now)]),
    )
    .returningAll()
    .executeTakeFirst();

/** The upload as the row of a lease. */
export const leasedUpload = ({
  account_id,
  id,
}: Pick<UploadRow, 'account_id' | 'id'>): LeasedRow => ({
  table: 'media_uploads',
  where: sql`account_id = ${account_id}::uuid and id = ${id}::uuid`,
});

/** Inserts a stored part. False: another request has resumed the upload. */
export async function addUploadPart(
  tx: Tx,
  part: UploadPart,
  {
    holder,
    length,
    until,
    expires,
  }: { holder: string; length: number | null; until: Date | null; expires: Date },
): Promise<boolean> {
  const received = part.position + part.bytes;
  const updated = await tx
    .updateTable('media_uploads')
    .set({ received, length, lease_until: until, expires_at: expires })
    .where('account_id', '=', part.account_id)
    .where('id', '=', part.upload_id)
    .where('leased_by', '=', holder)
    .where('received', '=', part.position)
    .returning('id')
    .executeTakeFirst();
  if (updated) await tx.insertInto('media_upload_parts').values(part).execute();
  return updated !== undefined;
}

/** Sets a deferred length. Does nothing if another request has resumed the upload. */
export async function setUploadLength(
  db: Db,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  { holder, length }: { holder: string; length: number | null },
): Promise<void> {
  await db
    .updateTable('media_uploads')
    .set({ length })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .where('length', 'is', null)
    .execute();
}

/** Locks the existing uploads until the transaction ends. */
export const lockUploads = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<UploadRow[]> =>
  tx
    .selectFrom('media_uploads')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Moves the parts of `from` to another upload at the positions, and deletes `from`. */
export async function moveUploadParts(
  tx: Tx,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  from: readonly { readonly id: string; readonly position: number }[],
): Promise<void> {
  for (const part of from) {
    await tx
      .updateTable('media_upload_parts')
      .set(({ eb }) => ({ upload_id: id, position: eb('position', '+', part.position) }))
      .where('account_id', '=', account_id)
      .where('upload_id', '=', part.id)
      .execute();
  }
  await tx
    .deleteFrom('media_uploads')
    .where('account_id', '=', account_id)
    .where(
      'id',
      'in',
      from.map((part) => part.id),
    )
    .execute();
}

export const partsOfUpload = (
  db: Db,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
): Promise<UploadPart[]> =>
  db
    .selectFrom('media_upload_parts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('upload_id', '=', id)
    .orderBy('position')
    .execute();

/** A page of the parts of all uploads, in the order of blobs. */
export const uploadPartsAfter = (
  tx: Tx,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<UploadPart[]> =>
  tx
    .selectFrom('media_upload_parts')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(after !== null, (parts) => parts.where('blob', '>', after ?? ''))
    .orderBy('blob')
    .limit(limit)
    .execute();

/**
 * Records the memory of an upload and deletes its parts; the row stays for later requests. Returns
 * the blobs of the parts; null if another holder has the lease or the upload is gone.
 */
export async function markUploadCompleted(
  tx: Tx,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  holder: string,
  result: UploadResult,
): Promise<string[] | null> {
  const updated = await tx
    .updateTable('media_uploads')
    .set(result)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .where('memory_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!updated) return null;
  const rows = await tx
    .deleteFrom('media_upload_parts')
    .where('account_id', '=', account_id)
    .where('upload_id', '=', id)
    .returning('blob')
    .execute();
  return rows.map(({ blob }) => blob);
}

/**
 * Deletes an upload with its parts. Returns their blobs; null if there is no such upload.
 * @param holder if set, deletes the upload only while this holder has the lease
 */
export async function deleteUpload(
  tx: Tx,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  holder?: string,
): Promise<string[] | null> {
  // Locked first: a concurrent addUploadPart either has committed or finds no upload.
  const row = await selectUpload(tx, account_id, id).forUpdate().executeTakeFirst();
  if (!row || (holder !== undefined && row.leased_by !== holder)) return null;
  const parts = await partsOfUpload(tx, row);
  await tx
    .deleteFrom('media_uploads')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
  return parts.map(({ blob }) => blob);
}

/** The uploads of an owner; their number is limited. */
export async function uploadsOfOwner(
  db: Db,
  accountId: string,
  owner: OwnerFilter,
): Promise<Pick<UploadRow, 'id' | 'spaces' | 'memory_id' | 'created_at'>[]> {
  let query = db
    .selectFrom('media_uploads')
    .select(['id', 'spaces', 'memory_id', 'created_at'])
    .where('account_id', '=', accountId);
  for (const name of ownerNames) {
    const id = owner[name];
    if (id !== undefined) query = query.where(sql<boolean>`fields ->> ${name} = ${id}`);
  }
  return query.orderBy('id').execute();
}

/** Deletes the completed uploads that these memories were. */
export async function deleteUploadsOfMemories(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('media_uploads')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`memory_id = any(${memoryIds}::uuid[])`)
    .execute();
}

/** Of all accounts. */
export const expiredUploads = (db: Db, now: Date, limit: number): Promise<UploadRow[]> =>
  acrossAvailableAccounts(db, 'a job deletes expired uploads')
    .selectFrom('media_uploads')
    .selectAll()
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();

/** Received but not completed, with an expired lease. Of all accounts, in the order of ids. */
export const findUncompletedUploads = async (
  db: Db,
  now: Date,
  { after, limit }: { after: string | null; limit: number },
): Promise<UploadRow[]> =>
  acrossAvailableAccounts(db, 'a job completes uploads that were interrupted at their end')
    .selectFrom('media_uploads')
    .selectAll()
    .whereRef('received', '=', 'length')
    .where('length', '>', 0)
    .where('concat', 'is distinct from', 'partial')
    .where('memory_id', 'is', null)
    .where(isLeaseExpired('lease_until', now))
    .$if(after !== null, (uploads) => uploads.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();

export const uploadsOfAccount = async (
  db: Db,
  accountId: string,
  limit: number,
): Promise<Pick<UploadRow, 'account_id' | 'id'>[]> => {
  const { rows } = await sql<Pick<UploadRow, 'account_id' | 'id'>>`
    select account_id, id from media_uploads where account_id = ${accountId}
    limit ${limit}`.execute(db);
  return rows;
};
