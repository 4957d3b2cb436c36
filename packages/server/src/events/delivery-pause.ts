import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../database/index.ts';

/** Names in `installation`. The first row exists while deliveries are paused. */
const pausedAtKey = 'deliveries_paused_at';
const resumedAtKey = 'deliveries_resumed_at';

/** SQL condition: the account, by the column with its id, exists and is not suspended. */
export const isAccountActiveCondition = (accountId: string): RawBuilder<boolean> => sql<boolean>`
  exists (
    select from accounts as owner
    where owner.id = ${sql.ref(accountId)} and not owner.suspended and owner.deleted_at is null
  )`;

/**
 * SQL condition in each statement that leases a webhook call or a mail. Without a cache, every
 * process obeys a pause or a suspension from its next statement on.
 *
 * @param accountId the qualified column with the id of the account
 */
export const canAccountSendCondition = (accountId: string): RawBuilder<boolean> => sql<boolean>`
  not exists (select from installation where name = ${pausedAtKey})
  and ${isAccountActiveCondition(accountId)}`;

/** Whether the account may send webhook calls and mail now. */
export async function canAccountSend(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where(canAccountSendCondition('accounts.id'))
    .executeTakeFirst();
  return row !== undefined;
}

/** True also for a deleted account. */
export async function isAccountSuspended(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where(isAccountActiveCondition('accounts.id'))
    .executeTakeFirst();
  return row === undefined;
}

/** The end of the account's last suspension; null if it was never suspended. */
export async function readSuspensionEnd(db: Db, accountId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('accounts')
    .select('resumed_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.resumed_at ?? null;
}

/** The deliveries and mails that an account no longer sends after a suspension. */
export interface StaleCutoff {
  /** Older ones are not sent. */
  readonly before: Date;
  /** Shown in lists of deliveries and mails. */
  readonly reason: string;
}

const staleMs = 86_400_000;

export const staleCutoffAt = (resumed: Date): StaleCutoff => ({
  before: new Date(resumed.getTime() - staleMs),
  reason: 'not sent: more than a day old when the suspension of the account ended',
});

/** Null if nothing since `oldest` is stale: no suspension ended after it. */
export async function readStaleCutoff(
  db: Db,
  accountId: string,
  { oldest, now }: { readonly oldest: Date | undefined; readonly now: Date },
): Promise<StaleCutoff | null> {
  // Nothing is older than a day, so nothing was when a suspension ended: skip the query.
  if (oldest === undefined || oldest >= staleCutoffAt(now).before) return null;
  const resumed = await readSuspensionEnd(db, accountId);
  return resumed && staleCutoffAt(resumed);
}

/** The start of the pause of deliveries; null if they are not paused. */
export async function readDeliveriesPausedAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', pausedAtKey)
    .executeTakeFirst();
  return row ? new Date(row.value) : null;
}

/**
 * After the commit no process sends webhook calls or mail. A restore calls it before the first
 * start, so that a copy sends nothing twice.
 * @returns the start of the pause, and whether this call started it
 */
export async function pauseDeliveries(
  tx: Tx,
  now: Date,
): Promise<{ since: Date; isChanged: boolean }> {
  const inserted = await tx
    .insertInto('installation')
    .values({ name: pausedAtKey, value: now.toISOString() })
    .onConflict((on) => on.doNothing())
    .returning('value')
    .executeTakeFirst();
  const since = inserted ? now : await readDeliveriesPausedAt(tx);
  return { since: since ?? now, isChanged: inserted !== undefined };
}

/** Sending resumes after the commit. Returns false if deliveries were not paused. */
export async function resumeDeliveries(tx: Tx, now: Date): Promise<boolean> {
  const paused = await tx
    .deleteFrom('installation')
    .where('name', '=', pausedAtKey)
    .returning('name')
    .executeTakeFirst();
  if (!paused) return false;
  const value = now.toISOString();
  await tx
    .insertInto('installation')
    .values({ name: resumedAtKey, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute();
  return true;
}

/** The time that webhooks and reactions have after a pause to process the waiting events. */
const catchUpMs = 86_400_000;

/** Whether webhooks or reactions may still need events beyond their retention. */
export async function canHaveEventBacklog(db: Db, now: Date): Promise<boolean> {
  const rows = await db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('name', 'in', [pausedAtKey, resumedAtKey])
    .execute();
  return rows.some(
    ({ name, value }) =>
      name === pausedAtKey || new Date(value).getTime() + catchUpMs > now.getTime(),
  );
}
