import { type OwnerFilter, ownerNames } from '@mneme/contract';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import { type Db, readPage, type Tables, type Tx } from '../../../../database/index.ts';
import type { PageRequest } from '../../../../kernel/pagination.ts';

export type InboundMailRecord = Selectable<Tables['inbound_mails']>;

/** The blob of a mail. Only completed mails can have lost theirs by an erasure. */
export function requireRawBlob({ id, raw_blob: name }: InboundMailRecord): string {
  if (name === null) throw new Error(`the raw bytes of mail ${id} were erased`);
  return name;
}
type NewMailRow = Insertable<Tables['inbound_mails']>;

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('inbound_mails').selectAll().where('account_id', '=', accountId);

/** Undefined if the mail is a duplicate. */
export const insertMail = (tx: Tx, row: NewMailRow): Promise<InboundMailRecord | undefined> =>
  tx
    .insertInto('inbound_mails')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'message_key']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** Locks a rejected or rate-limited mail with the key. */
export const lockRejectedMail = (
  tx: Tx,
  { account_id: accountId, message_key: key }: Pick<NewMailRow, 'account_id' | 'message_key'>,
): Promise<InboundMailRecord | undefined> =>
  selectOfAccount(tx, accountId)
    .where('message_key', '=', key)
    .where('status', 'in', ['rate_limited', 'rejected'])
    .forUpdate()
    .executeTakeFirst();

export const findMailByKey = (
  db: Db,
  accountId: string,
  key: Uint8Array,
): Promise<InboundMailRecord | undefined> =>
  selectOfAccount(db, accountId).where('message_key', '=', key).executeTakeFirst();

export const findMail = (
  db: Db,
  accountId: string,
  id: string,
): Promise<InboundMailRecord | undefined> =>
  selectOfAccount(db, accountId).where('id', '=', id).executeTakeFirst();

export async function updateMail(
  db: Db,
  { account_id: accountId, id }: Pick<InboundMailRecord, 'account_id' | 'id'>,
  set: Updateable<Tables['inbound_mails']>,
): Promise<void> {
  await db
    .updateTable('inbound_mails')
    .set(set)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** False if another run has completed it: the caller must roll back. */
export async function markMailCompleted(
  tx: Tx,
  { account_id: accountId, id }: Pick<InboundMailRecord, 'account_id' | 'id'>,
  set: Updateable<Tables['inbound_mails']>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('inbound_mails')
    .set(set)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', 'in', ['received', 'processing'])
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Marks the mail as replied to; false if it already is. */
export async function claimAutoReply(
  tx: Tx,
  { account_id: accountId, id }: Pick<InboundMailRecord, 'account_id' | 'id'>,
  now: Date,
): Promise<boolean> {
  const updated = await tx
    .updateTable('inbound_mails')
    .set({ replied_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('replied_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

export interface MailFilter {
  readonly status: InboundMailRecord['status'] | undefined;
  /** Accessible spaces; null: all. */
  readonly visible: readonly string[] | null;
  readonly owner: OwnerFilter;
}

/** Newest first. */
export function listMails(
  db: Db,
  accountId: string,
  { status, visible, owner }: MailFilter,
  page: PageRequest,
): Promise<{ rows: InboundMailRecord[]; total: number }> {
  let query = selectOfAccount(db, accountId);
  if (status !== undefined) query = query.where('status', '=', status);
  for (const name of ownerNames) {
    const id = owner[name];
    if (id !== undefined) query = query.where(name, '=', id);
  }
  if (visible !== null) {
    query = query.where(
      sql<boolean>`coalesce(space_id::text, 'default') = any(${visible}::text[])`,
    );
  }
  return readPage(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

/**
 * Removes the sources of erased memories: the text of mails that became one, and the raw bytes of
 * those mails and of mails with an attachment that became one. Returns the ids of the mails whose
 * text was removed, and the blobs.
 */
export async function eraseInboundContent(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<{ mailIds: string[]; blobs: string[] }> {
  const { rows } = await sql<{ id: string; raw_blob: string | null; is_memory: boolean }>`
    with found as (
      select id, raw_blob, response_memory_id = any(${memoryIds}::uuid[]) is true as is_memory
      from inbound_mails where account_id = ${accountId}::uuid and (
        response_memory_id = any(${memoryIds}::uuid[])
        or id in (
          select mail_id from email_attachments
          where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
        )
      ) for update
    )
    update inbound_mails set raw_blob = null,
      subject = case when is_memory then '[erased]' else subject end,
      body_plain = case when is_memory then '' else body_plain end,
      parsed_intent = case when is_memory then null else parsed_intent end
    from found where inbound_mails.account_id = ${accountId}::uuid
      and inbound_mails.id = found.id
    returning inbound_mails.id, found.raw_blob, is_memory`.execute(tx);
  return {
    mailIds: rows.filter((row) => row.is_memory).map(({ id }) => id),
    blobs: rows.flatMap(({ raw_blob: name }) => name ?? []),
  };
}

/** Returns the blob of the raw mail, which the caller must remove. */
export async function clearRawBlob(tx: Tx, accountId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ raw_blob: string | null }>`
    with former as (
      select raw_blob from inbound_mails
      where account_id = ${accountId}::uuid and id = ${id}::uuid for update
    )
    update inbound_mails set raw_blob = null from former
    where account_id = ${accountId}::uuid and id = ${id}::uuid
    returning former.raw_blob`.execute(tx);
  return rows[0]?.raw_blob ?? null;
}

/** A page in the order of ids. */
export const mailsAfter = (
  tx: Tx,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Pick<InboundMailRecord, 'id' | 'raw_blob' | 'raw_bytes'>[]> =>
  tx
    .selectFrom('inbound_mails')
    .select(['id', 'raw_blob', 'raw_bytes'])
    .where('account_id', '=', accountId)
    .$if(after !== null, (mails) => mails.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute();

/** Also deletes their attachments. */
export async function deleteMails(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('inbound_mails')
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
}
