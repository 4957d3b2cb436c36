import { type Insertable, type Selectable, sql } from 'kysely';
import {
  acrossAccounts,
  type Db,
  readPage,
  type Tables,
  type Tx,
} from '../../../../database/index.ts';
import type { PageRequest } from '../../../../kernel/pagination.ts';

export type AttachmentRecord = Selectable<Tables['email_attachments']>;

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('email_attachments').selectAll().where('account_id', '=', accountId);

export async function insertAttachments(
  tx: Tx,
  rows: readonly Insertable<Tables['email_attachments']>[],
): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('email_attachments')
      .values([...rows])
      .execute();
}

export const listAttachmentRows = (
  db: Db,
  accountId: string,
  mailId: string,
  page: PageRequest,
): Promise<{ rows: AttachmentRecord[]; total: number }> =>
  readPage(selectOfAccount(db, accountId).where('mail_id', '=', mailId).orderBy('number'), page);

export const findAttachment = (
  db: Db,
  accountId: string,
  id: string,
): Promise<AttachmentRecord | undefined> =>
  selectOfAccount(db, accountId).where('id', '=', id).executeTakeFirst();

/** Searches all accounts: for signed links, whose signature grants access. */
export const findAttachmentById = (db: Db, id: string): Promise<AttachmentRecord | undefined> =>
  acrossAccounts(db, 'a signed link has no account')
    .selectFrom('email_attachments')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();

/** A page in the order of ids. */
export const attachmentsAfter = (
  tx: Tx,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<AttachmentRecord[]> =>
  selectOfAccount(tx, accountId)
    .$if(after !== null, (rows) => rows.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute();

export const deleteAttachment = (
  tx: Tx,
  accountId: string,
  id: string,
): Promise<AttachmentRecord | undefined> =>
  tx
    .deleteFrom('email_attachments')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** Deletes the attachments that became these memories; returns their blobs. */
export async function deleteAttachmentsOfMemories(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .deleteFrom('email_attachments')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`memory_id = any(${memoryIds}::uuid[])`)
    .returning('blob')
    .execute();
  return rows.map(({ blob }) => blob);
}

/** Adds the names that a mail or an attachment references to `named`. */
export async function collectBlobsReferencedByMail(
  db: Db,
  names: readonly string[],
  referenced: Set<string>,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select raw_blob as name from inbound_mails where raw_blob = any(${names}::text[])
    union all select blob from email_attachments where blob = any(${names}::text[])`.execute(
    acrossAccounts(db, 'a job removes blobs that no account references'),
  );
  for (const { name } of rows) referenced.add(name);
}

export async function listAttachmentBlobs(
  tx: Tx,
  accountId: string,
  mailIds: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .selectFrom('email_attachments')
    .select('blob')
    .where('account_id', '=', accountId)
    .where('mail_id', 'in', [...mailIds])
    .execute();
  return rows.map(({ blob }) => blob);
}
