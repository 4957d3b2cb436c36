import { type Insertable, sql, type Updateable } from 'kysely';
import {
  acrossAvailableAccounts,
  type Db,
  readPage,
  type Tables,
  type Tx,
} from '../../../../database/index.ts';
import { isAccountActiveCondition } from '../../../../events/delivery-pause.ts';
import { hasUnprocessedEventsCondition } from '../../../../events/event-cursor.ts';
import type { PageRequest } from '../../../../kernel/pagination.ts';
import type { ReactionRecord, TriggerCounts } from '../model.ts';

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('email_reactions').selectAll().where('account_id', '=', accountId);

/** Newest first. With `visible`, only reactions that are limited to these spaces. */
export function listReactionRows(
  db: Db,
  accountId: string,
  visible: readonly string[] | null,
  page: PageRequest,
): Promise<{ rows: ReactionRecord[]; total: number }> {
  const all = selectOfAccount(db, accountId);
  const filtered = visible === null ? all : all.where(sql<boolean>`spaces <@ ${visible}::text[]`);
  return readPage(filtered.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

export const lockReaction = (
  tx: Tx,
  accountId: string,
  id: string,
): Promise<ReactionRecord | undefined> =>
  selectOfAccount(tx, accountId).where('id', '=', id).forUpdate().executeTakeFirst();

/** Undefined if the name is in use. The same transaction must call startCursors. */
export const insertReaction = (
  tx: Tx,
  row: Omit<Insertable<Tables['email_reactions']>, 'cursor'>,
): Promise<ReactionRecord | undefined> =>
  tx
    .insertInto('email_reactions')
    .values({ ...row, cursor: 0 })
    .onConflict((on) => on.columns(['account_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** Throws a unique violation if the new name is in use. */
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

/** Without an active reaction, the mailer need not search for pending events. */
export async function hasActiveReaction(db: Db): Promise<boolean> {
  const row = await acrossAvailableAccounts(
    db,
    'without an active reaction, the mailer does not search',
  )
    .selectFrom('email_reactions')
    .select('id')
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const accountsMax = 10_000;

/** Accounts, except suspended ones, with events after the cursor of a reaction. */
export async function findAccountsWithPendingEvents(db: Db): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id
    from email_reactions join account_positions using (account_id)
    where is_active and ${hasUnprocessedEventsCondition('email_reactions')}
      and ${isAccountActiveCondition('email_reactions.account_id')}
    order by account_id limit ${accountsMax}::int`.execute(
    acrossAvailableAccounts(db, 'the mailer looks for events of reactions'),
  );
  return rows.map(({ account_id }) => account_id);
}

/** Locks the active reactions of an account; skips those that another process has locked. */
export const lockActiveReactions = (tx: Tx, accountId: string): Promise<ReactionRecord[]> =>
  selectOfAccount(tx, accountId)
    .where('is_active', '=', true)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();

/** Waits for processes that queue mails of the account's reactions. */
export async function lockAllReactions(tx: Tx, accountId: string): Promise<void> {
  await tx
    .selectFrom('email_reactions')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function advanceReactionCursors(
  tx: Tx,
  accountId: string,
  { ids, upTo }: { ids: readonly string[]; upTo: number },
): Promise<void> {
  await tx
    .updateTable('email_reactions')
    .set({ cursor: upTo })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('cursor', '<', upTo)
    .execute();
}

export async function saveTriggerCounts(
  tx: Tx,
  { account_id, id }: ReactionRecord,
  { last_triggered_at, daily_window_start, daily_sent_count }: TriggerCounts,
): Promise<void> {
  await tx
    .updateTable('email_reactions')
    .set({ last_triggered_at, daily_window_start, daily_sent_count })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

/** Call after startCursors, which locks out concurrent inserts of the account. */
export async function countReactions(tx: Tx, accountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('email_reactions')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
