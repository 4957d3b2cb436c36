import { type Insertable, type Selectable, sql } from 'kysely';
import { type Db, isLeaseExpired, type Tables, type Tx } from '../../../database/index.ts';

export type UploadRow = Selectable<Tables['media_uploads']>;
export type NewUpload = Insertable<Tables['media_uploads']>;
/** What an upload became, and whether that was stored before. */
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

/** Those that are not at their end. */
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
 * Whoever comes last goes on: of a connection that broke, the former end may not have been noticed.
 * `until`: all bytes are here, and it is being ended until then. Undefined: another ends it, or it
 * is gone. What nobody holds may be taken before its time to be tried again.
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

/** It is being ended for longer; nothing, where another has it. */
export async function renewUploadLease(
  db: Db,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  { holder, until }: { holder: string; until: Date },
): Promise<void> {
  await db
    .updateTable('media_uploads')
    .set({ lease_until: until })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .execute();
}

/** Nobody can have one: for the start on an embedded database, as releaseJobs. */
export async function releaseAllUploadLeases(db: Db): Promise<void> {
  await db
    .updateTable('media_uploads')
    .set({ leased_by: null, lease_until: null })
    .where('leased_by', 'is not', null)
    .execute();
}

/** It is being ended no more; `again`: when nobody asks, it is tried again then. */
export async function releaseUploadLease(
  db: Db,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  { holder, again }: { holder: string; again: Date | null },
): Promise<void> {
  await db
    .updateTable('media_uploads')
    .set({ leased_by: null, lease_until: again })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .execute();
}

/** Notes a part that is kept; false: another request goes on with the upload. */
export async function addPart(
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

/** Of an upload whose creation deferred it; nothing, where another request goes on with it. */
export async function setLength(
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

/** Those of these ids that are there; none of them changes until the transaction ends. */
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

/** The bytes of `from` become those of another upload, each from its position on; `from` goes. */
export async function moveParts(
  tx: Tx,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  from: readonly { readonly id: string; readonly position: number }[],
): Promise<void> {
  for (const each of from) {
    await tx
      .updateTable('media_upload_parts')
      .set(({ eb }) => ({ upload_id: id, position: eb('position', '+', each.position) }))
      .where('account_id', '=', account_id)
      .where('upload_id', '=', each.id)
      .execute();
  }
  await tx
    .deleteFrom('media_uploads')
    .where('account_id', '=', account_id)
    .where(
      'id',
      'in',
      from.map((each) => each.id),
    )
    .execute();
}

export const partsOf = (
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

/** Of all uploads, in the order of their blobs. */
export const partsAfter = (
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
 * It has become a memory: its parts go, and it stays to say so. Returns their blobs; null: another
 * has it, or it is gone.
 */
export async function markUploadCompleted(
  tx: Tx,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  holder: string,
  ending: UploadResult,
): Promise<string[] | null> {
  const ended = await tx
    .updateTable('media_uploads')
    .set(ending)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('leased_by', '=', holder)
    .where('memory_id', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!ended) return null;
  const rows = await tx
    .deleteFrom('media_upload_parts')
    .where('account_id', '=', account_id)
    .where('upload_id', '=', id)
    .returning('blob')
    .execute();
  return rows.map(({ blob }) => blob);
}

/**
 * With all that is here of it; returns the blobs, or null where there is no such upload.
 * @param holder only where it is still theirs
 */
export async function deleteUpload(
  tx: Tx,
  { account_id, id }: Pick<UploadRow, 'account_id' | 'id'>,
  holder?: string,
): Promise<string[] | null> {
  // Locked first: a part that comes just now is here, or finds it gone.
  const row = await selectUpload(tx, account_id, id).forUpdate().executeTakeFirst();
  if (!row || (holder !== undefined && row.leased_by !== holder)) return null;
  const parts = await partsOf(tx, row);
  await tx
    .deleteFrom('media_uploads')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
  return parts.map(({ blob }) => blob);
}

/** Given up for long, of any account. */
export const expiredUploads = (db: Db, now: Date, limit: number): Promise<UploadRow[]> =>
  db
    .selectFrom('media_uploads')
    .selectAll()
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();

/** All of it is here, and whoever took it in never ended it; of any account, in order of ids. */
export const findUncompletedUploads = async (
  db: Db,
  now: Date,
  { after, limit }: { after: string | null; limit: number },
): Promise<UploadRow[]> =>
  db
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

export const uploadsOf = async (
  db: Db,
  accountId: string,
  limit: number,
): Promise<Pick<UploadRow, 'account_id' | 'id'>[]> => {
  const { rows } = await sql<Pick<UploadRow, 'account_id' | 'id'>>`
    select account_id, id from media_uploads where account_id = ${accountId}
    limit ${limit}`.execute(db);
  return rows;
};
