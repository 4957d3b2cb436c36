import type { Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import { type Db, readPage, type Tables, type Tx } from '../../../../engine/index.ts';
import type { Page } from '../../../../kernel/page.ts';

export type MailRecord = Selectable<Tables['mails']>;
type NewMailRow = Insertable<Tables['mails']>;

const own = (db: Db, accountId: string) =>
  db.selectFrom('mails').selectAll().where('account_id', '=', accountId);

/** Undefined where the mail is there already. */
export const insertMail = (tx: Tx, row: NewMailRow): Promise<MailRecord | undefined> =>
  tx
    .insertInto('mails')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'message_key']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** The mail of that key where it came to nothing: refused, or over a limit. */
export const findRefusedMail = (
  tx: Tx,
  { account_id: accountId, message_key: key }: Pick<NewMailRow, 'account_id' | 'message_key'>,
): Promise<MailRecord | undefined> =>
  own(tx, accountId)
    .where('message_key', '=', key)
    .where('status', 'in', ['rate_limited', 'rejected'])
    .forUpdate()
    .executeTakeFirst();

export const findMailByKey = (
  db: Db,
  accountId: string,
  key: Uint8Array,
): Promise<MailRecord | undefined> =>
  own(db, accountId).where('message_key', '=', key).executeTakeFirst();

export const findMail = (db: Db, accountId: string, id: string): Promise<MailRecord | undefined> =>
  own(db, accountId).where('id', '=', id).executeTakeFirst();

export async function updateMail(
  db: Db,
  { account_id: accountId, id }: Pick<MailRecord, 'account_id' | 'id'>,
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
export async function endMail(
  tx: Tx,
  { account_id: accountId, id }: Pick<MailRecord, 'account_id' | 'id'>,
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
export async function takeAnswer(
  tx: Tx,
  { account_id: accountId, id }: Pick<MailRecord, 'account_id' | 'id'>,
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
  readonly status: MailRecord['status'] | undefined;
  /** Spaces of which what was stored may be seen; null: all. */
  readonly visible: readonly string[] | null;
}

/** Newest first. */
export function listMails(
  db: Db,
  accountId: string,
  { status, visible }: MailFilter,
  page: Page,
): Promise<{ rows: MailRecord[]; total: number }> {
  let query = own(db, accountId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (visible !== null) {
    query = query.where(
      sql<boolean>`coalesce(space_id::text, 'default') = any(${visible}::text[])`,
    );
  }
  return readPage(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

/** Some of an account's, in the order of their ids. */
export const mailsAfter = (
  tx: Tx,
  accountId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<Pick<MailRecord, 'id' | 'raw_blob' | 'raw_bytes'>[]> =>
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
