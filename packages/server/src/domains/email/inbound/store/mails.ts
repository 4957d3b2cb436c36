import type { Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import { type Db, readPage, type Tables, type Tx } from '../../../../database/index.ts';
import type { Page } from '../../../../kernel/pagination.ts';

export type InboundMailRecord = Selectable<Tables['mails']>;

/** The name of its bytes. Those of a mail that became nothing yet are there. */
export function requireRawBlob({ id, raw_blob: name }: InboundMailRecord): string {
  if (name === null) throw new Error(`the bytes of mail ${id} were erased`);
  return name;
}
type NewMailRow = Insertable<Tables['mails']>;

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('mails').selectAll().where('account_id', '=', accountId);

/** Undefined where the mail is there already. */
export const insertMail = (tx: Tx, row: NewMailRow): Promise<InboundMailRecord | undefined> =>
  tx
    .insertInto('mails')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'message_key']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** The mail of that key where it came to nothing: refused, or over a limit. */
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
  set: Updateable<Tables['mails']>,
): Promise<void> {
  await db
    .updateTable('mails')
    .set(set)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** False where another has ended it: what came with it must be taken back. */
export async function markMailCompleted(
  tx: Tx,
  { account_id: accountId, id }: Pick<InboundMailRecord, 'account_id' | 'id'>,
  set: Updateable<Tables['mails']>,
): Promise<boolean> {
  const ended = await tx
    .updateTable('mails')
    .set(set)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', 'in', ['received', 'processing'])
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Takes the one answer that a mail may cause; false where it has been given. */
export async function claimAutoReply(
  tx: Tx,
  { account_id: accountId, id }: Pick<InboundMailRecord, 'account_id' | 'id'>,
  now: Date,
): Promise<boolean> {
  const taken = await tx
    .updateTable('mails')
    .set({ answered_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

export interface MailFilter {
  readonly status: InboundMailRecord['status'] | undefined;
  /** Spaces of which what was stored may be seen; null: all. */
  readonly visible: readonly string[] | null;
}

/** Newest first. */
export function listMails(
  db: Db,
  accountId: string,
  { status, visible }: MailFilter,
  page: Page,
): Promise<{ rows: InboundMailRecord[]; total: number }> {
  let query = selectOfAccount(db, accountId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (visible !== null) {
    query = query.where(
      sql<boolean>`coalesce(space_id::text, 'default') = any(${visible}::text[])`,
    );
  }
  return readPage(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

/**
 * Removes what memories that were erased were made of: the texts of mails that became one, and the
 * bytes of those and of mails that came with an attachment that became one. Returns the mails whose
 * texts are gone, and the names of the bytes.
 */
export async function eraseInboundContent(
  tx: Tx,
  accountId: string,
  memoryIds: readonly string[],
): Promise<{ mailIds: string[]; blobs: string[] }> {
  const { rows } = await sql<{ id: string; raw_blob: string | null; is_memory: boolean }>`
    with found as (
      select id, raw_blob, response_memory_id = any(${memoryIds}::uuid[]) is true as is_memory
      from mails where account_id = ${accountId}::uuid and (
        response_memory_id = any(${memoryIds}::uuid[])
        or id in (
          select mail_id from email_attachments
          where account_id = ${accountId}::uuid and memory_id = any(${memoryIds}::uuid[])
        )
      ) for update
    )
    update mails set raw_blob = null,
      subject = case when is_memory then '[erased]' else subject end,
      body_plain = case when is_memory then '' else body_plain end,
      parsed_intent = case when is_memory then null else parsed_intent end
    from found where mails.account_id = ${accountId}::uuid and mails.id = found.id
    returning mails.id, found.raw_blob, is_memory`.execute(tx);
  return {
    mailIds: rows.filter((row) => row.is_memory).map(({ id }) => id),
    blobs: rows.flatMap(({ raw_blob: name }) => name ?? []),
  };
}

/** The bytes of a mail, whose name is returned. */
export async function clearRawBlob(tx: Tx, accountId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ raw_blob: string | null }>`
    with former as (
      select raw_blob from mails
      where account_id = ${accountId}::uuid and id = ${id}::uuid for update
    )
    update mails set raw_blob = null from former
    where account_id = ${accountId}::uuid and id = ${id}::uuid
    returning former.raw_blob`.execute(tx);
  return rows[0]?.raw_blob ?? null;
}

/** Some of an account's, in the order of their ids. */
export const mailsAfter = (
  tx: Tx,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Pick<InboundMailRecord, 'id' | 'raw_blob' | 'raw_bytes'>[]> =>
  tx
    .selectFrom('mails')
    .select(['id', 'raw_blob', 'raw_bytes'])
    .where('account_id', '=', accountId)
    .$if(after !== null, (mails) => mails.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute();

/** With what came with them. */
export async function deleteMails(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('mails')
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
}
