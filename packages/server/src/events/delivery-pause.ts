import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../database/index.ts';

/** Rows of `installation`. The first is there while deliveries are paused. */
const pausedAt = 'deliveries_paused_at';
const resumedAt = 'deliveries_resumed_at';

/** Part of a statement: the account, by the column with its id, is there and not suspended. */
export const isAccountActive = (accountId: string): RawBuilder<boolean> => sql<boolean>`
  exists (
    select from accounts as owner
    where owner.id = ${sql.ref(accountId)} and not owner.suspended and owner.deleted_at is null
  )`;

/**
 * Part of each statement that takes a webhook call or a mail to be sent: every process sees a pause
 * or a suspended account with its next statement, and no cache keeps sending after it.
 *
 * @param accountId the column with the id of the account, by its table
 */
export const canSend = (accountId: string): RawBuilder<boolean> => sql<boolean>`
  not exists (select from installation where name = ${pausedAt})
  and ${isAccountActive(accountId)}`;

/** Whether the account may send webhook calls and mail now. */
export async function canAccountSend(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where(canSend('accounts.id'))
    .executeTakeFirst();
  return row !== undefined;
}

/** True also for an account that is deleted. */
export async function isAccountSuspended(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where(isAccountActive('accounts.id'))
    .executeTakeFirst();
  return row === undefined;
}

/** When the last suspension of the account ended; null: it never was suspended. */
export async function readSuspensionEnd(db: Db, accountId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('accounts')
    .select('resumed_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.resumed_at ?? null;
}

/** What an account does not send any more after a suspension. */
export interface StaleCutoff {
  /** What was recorded or written earlier. */
  readonly before: Date;
  /** Shown where deliveries and mails are listed. */
  readonly reason: string;
}

const staleMs = 86_400_000;

export const staleCutoffAt = (resumed: Date): StaleCutoff => ({
  before: new Date(resumed.getTime() - staleMs),
  reason: 'not sent: more than a day old when the suspension of the account ended',
});

/** Null: nothing of these times, since the account was not suspended after them. */
export async function readStaleCutoff(
  db: Db,
  accountId: string,
  { oldest, now }: { readonly oldest: Date | undefined; readonly now: Date },
): Promise<StaleCutoff | null> {
  // What is young now was young when a suspension ended: no statement is needed.
  if (oldest === undefined || oldest >= staleCutoffAt(now).before) return null;
  const resumed = await readSuspensionEnd(db, accountId);
  return resumed && staleCutoffAt(resumed);
}

/** When deliveries were paused; null while they are sent. */
export async function readPausedAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', pausedAt)
    .executeTakeFirst();
  return row ? new Date(row.value) : null;
}

/**
 * From the commit on no process sends webhook calls or mail. A restore calls it before the first
 * start, so that a copy sends nothing a second time.
 * @returns since when deliveries are paused, and whether this call paused them
 */
export async function pauseDeliveries(
  tx: Tx,
  now: Date,
): Promise<{ since: Date; isChanged: boolean }> {
  const made = await tx
    .insertInto('installation')
    .values({ name: pausedAt, value: now.toISOString() })
    .onConflict((on) => on.doNothing())
    .returning('value')
    .executeTakeFirst();
  const since = made ? now : await readPausedAt(tx);
  return { since: since ?? now, isChanged: made !== undefined };
}

/** What is due is sent from the commit on. False where deliveries were not paused. */
export async function resumeDeliveries(tx: Tx, now: Date): Promise<boolean> {
  const paused = await tx
    .deleteFrom('installation')
    .where('name', '=', pausedAt)
    .returning('name')
    .executeTakeFirst();
  if (!paused) return false;
  const value = now.toISOString();
  await tx
    .insertInto('installation')
    .values({ name: resumedAt, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute();
  return true;
}

/** After a pause, webhooks and reactions have so long to read the events that waited for them. */
const catchUpMs = 86_400_000;

/** Whether webhooks or reactions may still have to read events that are older than is kept. */
export async function canHaveBacklog(db: Db, now: Date): Promise<boolean> {
  const rows = await db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('name', 'in', [pausedAt, resumedAt])
    .execute();
  return rows.some(
    ({ name, value }) => name === pausedAt || new Date(value).getTime() + catchUpMs > now.getTime(),
  );
}
