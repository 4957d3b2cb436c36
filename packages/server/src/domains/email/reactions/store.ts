import { type Insertable, sql, type Updateable } from 'kysely';
import { type Db, readPage, type Tables, type Tx } from '../../../database/index.ts';
import { isAccountActive } from '../../../events/delivery-pause.ts';
import type { Page } from '../../../kernel/pagination.ts';
import type { ReactionRecord, TriggerCounts } from './model.ts';

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('email_reactions').selectAll().where('account_id', '=', accountId);

/** Newest first; of a key that is limited to spaces those alone that are told of no others. */
export function listReactionRows(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
  page: Page,
): Promise<{ rows: ReactionRecord[]; total: number }> {
  const all = selectOfAccount(db, accountId);
  const seen = visible === null ? all : all.where(sql<boolean>`spaces <@ ${visible}::text[]`);
  return readPage(seen.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

export const lockReaction = (
  tx: Tx,
  accountId: string,
  id: string,
): Promise<ReactionRecord | undefined> =>
  selectOfAccount(tx, accountId).where('id', '=', id).forUpdate().executeTakeFirst();

/** Undefined where the name is taken. `beginReacting` must follow in the same transaction. */
export const insertReaction = (
  tx: Tx,
  row: Omit<Insertable<Tables['email_reactions']>, 'told_to'>,
): Promise<ReactionRecord | undefined> =>
  tx
    .insertInto('email_reactions')
    .values({ ...row, told_to: 0 })
    .onConflict((on) => on.columns(['account_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();

/**
 * It is told of what comes from now on. From here to the commit nobody else of the account takes
 * a position: what has one is committed, what takes one later is told.
 */
export async function startReactionCursor(tx: Tx, accountId: string, id: string): Promise<void> {
  await sql`
    with place as (
      select position from streams where account_id = ${accountId}::uuid for update
    )
    update email_reactions set told_to = place.position from place
    where account_id = ${accountId}::uuid and id = ${id}::uuid`.execute(tx);
}

/** Throws a unique violation where its new name is taken. */
export const updateReactionRow = (
  tx: Tx,
  { account_id, id }: ReactionRecord,
  set: Updateable<Tables['email_reactions']>,
): Promise<ReactionRecord> =>
  tx
    .updateTable('email_reactions')
    .set(set)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function deleteReaction(tx: Tx, { account_id, id }: ReactionRecord): Promise<void> {
  await tx
    .deleteFrom('email_reactions')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Whether any event is to be looked at; false: nothing need be looked for. */
export async function hasActiveReaction(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('email_reactions')
    .select('id')
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const accountsMax = 10_000;

/** Accounts that are not suspended, with events that a reaction has not looked at. */
export async function findAccountsWithPendingEvents(db: Db): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id
    from email_reactions join streams using (account_id)
    where is_active and told_to < position and ${isAccountActive('email_reactions.account_id')}
    order by account_id limit ${accountsMax}::int`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** Those of an account that look at its events, locked; empty where another process does. */
export const lockActiveReactions = (tx: Tx, accountId: string): Promise<ReactionRecord[]> =>
  selectOfAccount(tx, accountId)
    .where('is_active', '=', true)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();

/** Waits for whoever writes mails about the account's events. */
export async function lockAllReactions(tx: Tx, accountId: string): Promise<void> {
  await tx
    .selectFrom('email_reactions')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The events up to there have been looked at. */
export async function advanceReactionCursors(
  tx: Tx,
  accountId: string,
  { ids, toldTo }: { ids: readonly string[]; toldTo: number },
): Promise<void> {
  await tx
    .updateTable('email_reactions')
    .set({ told_to: toldTo })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('told_to', '<', toldTo)
    .execute();
}

export async function saveTriggerCounts(
  tx: Tx,
  { account_id, id }: ReactionRecord,
  { last_triggered_at, day_began, sent_that_day }: TriggerCounts,
): Promise<void> {
  await tx
    .updateTable('email_reactions')
    .set({ last_triggered_at, day_began, sent_that_day })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Of one account, once nobody else can make one until the transaction ends. */
export async function countReactions(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('email_reactions')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
