import { type OwnerFilter, ownerNames } from '@mneme/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import {
  acrossAccounts,
  acrossAvailableAccounts,
  type Db,
  isDue,
  isLeaseExpired,
  type Tables,
  type Tx,
} from '../../../../database/index.ts';
import { canAccountSendCondition, type StaleCutoff } from '../../../../events/delivery-pause.ts';

export type OutboundMailRecord = Selectable<Tables['outbound_mails']>;

/** Replaces erased subjects and recipients. */
const erasedText = '[erased]';

/** The content of a finished mail is stored only if sending failed, for a retry. */
const clearedContent = { text: '', html: null };

/** The longest delay before the next attempt; see retries.ts. */
const waitMsMax = 2 * 86_400_000;

/** Other deliveries may lease the first of the due mails at the same time. */
const candidatesMax = 8;

/** False if its key was used before. */
export async function insertOutbound(
  tx: Tx,
  row: Insertable<Tables['outbound_mails']>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('outbound_mails')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'dedupe_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/**
 * Leases the longest overdue mail of all accounts and counts the attempt. If the process dies, the
 * mail is due again when the lease expires. None while deliveries are paused, and none of a
 * suspended account.
 */
export async function acquireDueMail(
  db: Db,
  { now, until }: { now: Date; until: Date },
): Promise<OutboundMailRecord | undefined> {
  const isFree = sql`${isDue('next_attempt_at', now, waitMsMax)}
    and ${isLeaseExpired('lease_until', now)}
    and ${canAccountSendCondition('outbound_mails.account_id')}`;
  for (;;) {
    const due = await sql<Pick<OutboundMailRecord, 'account_id' | 'id'>>`
      select account_id, id from outbound_mails where ${isFree}
      order by next_attempt_at limit ${candidatesMax}::int`.execute(
      acrossAvailableAccounts(db, 'the mailer looks for due mail'),
    );
    if (due.rows.length === 0) return undefined;
    for (const { account_id, id } of due.rows) {
      const { rows } = await sql<OutboundMailRecord>`
        update outbound_mails
        set status = 'sending', attempts = attempts + 1, lease_until = ${until}::timestamptz
        where account_id = ${account_id}::uuid and id = ${id}::uuid and ${isFree}
        returning *`.execute(db);
      if (rows[0]) return rows[0];
    }
  }
}

/** Records the outcome of an attempt; false if another process has leased the mail since. */
export async function recordAttempt(
  db: Db,
  { account_id, id, lease_until }: OutboundMailRecord,
  outcome: {
    readonly status: 'queued' | 'sent' | 'failed' | 'bounced';
    readonly response: string;
    readonly nextAttemptAt: Date | null;
    readonly sentAt: Date | null;
  },
): Promise<boolean> {
  const row = await db
    .updateTable('outbound_mails')
    .set({
      status: outcome.status,
      response: outcome.response,
      next_attempt_at: outcome.nextAttemptAt,
      lease_until: null,
      sent_at: outcome.sentAt,
      ...(outcome.status === 'sent' || outcome.status === 'bounced' ? clearedContent : {}),
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('lease_until', '=', lease_until)
    .where('status', '=', 'sending')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns a mail to the queue; an attempt that was aborted on shutdown does not count. */
export async function releaseMailLease(
  db: Db,
  { account_id, id, attempts, lease_until }: OutboundMailRecord,
): Promise<void> {
  await db
    .updateTable('outbound_mails')
    .set({ status: 'queued', attempts: attempts - 1, lease_until: null })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('lease_until', '=', lease_until)
    .where('status', '=', 'sending')
    .execute();
}

/**
 * Releases all leases. For start-up on an embedded database, which no other process can have open,
 * so that the lease holders are dead.
 */
export async function releaseAllMailLeases(db: Db): Promise<void> {
  await acrossAccounts(db, 'the start releases the leases of a former process')
    .updateTable('outbound_mails')
    .set({ status: 'queued', lease_until: null })
    .where('status', '=', 'sending')
    .execute();
}

/** Whether a mail is a digest or reaction of these spaces, or a reply to one of their mails. */
const isVisibleIn = (accountId: string, spaces: readonly string[]) => sql<boolean>`case
  when kind <> 'answer' then spaces <@ ${spaces}::text[]
  else exists (
    select from inbound_mails
    where inbound_mails.account_id = ${accountId}::uuid
      and inbound_mails.id = outbound_mails.mail_id
      and coalesce(inbound_mails.space_id::text, 'default') = any(${spaces}::text[])
  )
end`;

/** Newest first. With `visible`: digests and reactions of these spaces, replies to their mails. */
export function listOutboundRows(
  db: Db,
  accountId: string,
  filter: {
    readonly status: OutboundMailRecord['status'] | undefined;
    readonly recipient: string | undefined;
    /** Of the mails that replies answer. */
    readonly owner: OwnerFilter;
    /** Accessible spaces; null: all. */
    readonly visible: readonly string[] | null;
    readonly before: string | null;
    readonly limit: number;
  },
): Promise<OutboundMailRecord[]> {
  const { status, recipient, owner, visible, before, limit } = filter;
  let query = db.selectFrom('outbound_mails').selectAll().where('account_id', '=', accountId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (recipient !== undefined) {
    query = query.where(sql<boolean>`lower(recipient) = lower(${recipient})`);
  }
  const isOwned = ownerNames.flatMap((name) =>
    owner[name] === undefined
      ? []
      : [sql`and ${sql.ref(`inbound_mails.${name}`)} = ${owner[name]}`],
  );
  if (isOwned.length > 0) {
    query = query.where(sql<boolean>`exists (
      select from inbound_mails
      where inbound_mails.account_id = ${accountId}::uuid
        and inbound_mails.id = outbound_mails.mail_id ${sql.join(isOwned, sql` `)}
    )`);
  }
  if (before !== null) query = query.where('id', '<', before);
  if (visible !== null) query = query.where(isVisibleIn(accountId, visible));
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Whether it failed and its content was neither cleared nor erased. */
export const isRetryable = ({ status, text }: Pick<OutboundMailRecord, 'status' | 'text'>) =>
  status === 'failed' && text !== '';

/** Locks a mail of the account for its transaction; `visible`: accessible spaces; null: all. */
export async function lockOutbound(
  tx: Tx,
  accountId: string,
  { id, visible }: { readonly id: string; readonly visible: readonly string[] | null },
): Promise<OutboundMailRecord | undefined> {
  let query = tx.selectFrom('outbound_mails').selectAll();
  query = query.where('account_id', '=', accountId).where('id', '=', id);
  if (visible !== null) query = query.where(isVisibleIn(accountId, visible));
  return query.forUpdate().executeTakeFirst();
}

/** Makes a mail due at `now`; its attempts are counted from 0 again. */
export const requeueOutbound = (
  tx: Tx,
  { account_id, id }: Pick<OutboundMailRecord, 'account_id' | 'id'>,
  now: Date,
): Promise<OutboundMailRecord> =>
  tx
    .updateTable('outbound_mails')
    .set({ status: 'queued', next_attempt_at: now, attempts: 0 })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Searches all accounts: a return path has only the id of the mail. */
export const findOutbound = (
  db: Db,
  id: string,
): Promise<Pick<OutboundMailRecord, 'account_id' | 'status'> | undefined> =>
  acrossAccounts(db, 'a return path has no account')
    .selectFrom('outbound_mails')
    .select(['account_id', 'status'])
    .where('id', '=', id)
    .executeTakeFirst();

/** All current and former recipients of an account's mail, in lower case. */
export async function listKnownRecipients(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select lower(recipient) as email from outbound_mails where account_id = ${accountId}::uuid
    union
    select lower(unnest(recipients)) from email_reactions where account_id = ${accountId}::uuid
    union
    select lower(unnest(recipients)) from email_digests where account_id = ${accountId}::uuid
    `.execute(db);
  return rows.map(({ email }) => email);
}

/** Undefined if it has bounced before or does not belong to the account. */
export const markBounced = (
  tx: Tx,
  accountId: string,
  { outboundId, detail }: { outboundId: string; detail: string },
): Promise<{ recipient: string } | undefined> =>
  tx
    .updateTable('outbound_mails')
    .set({
      ...clearedContent,
      status: 'bounced',
      response: detail,
      next_attempt_at: null,
      lease_until: null,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', outboundId)
    .where('status', '<>', 'bounced')
    .returning('recipient')
    .executeTakeFirst();

/** Fails queued digests and reactions to a suppressed address, not those being sent. */
export async function failQueuedMailTo(tx: Tx, accountId: string, email: string): Promise<void> {
  await tx
    .updateTable('outbound_mails')
    .set({
      ...clearedContent,
      status: 'failed',
      next_attempt_at: null,
      response: 'the recipient is suppressed',
    })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(recipient) = ${email}`)
    .where('kind', '<>', 'answer')
    .where('status', '=', 'queued')
    .execute();
}

/** Mails of all accounts that are waiting to be sent. */
export async function countQueuedMails(db: Db): Promise<number> {
  const { rows } = await sql<{ mails: string }>`
    select count(*) as mails from outbound_mails
    where status = 'queued' and next_attempt_at is not null`.execute(
    acrossAccounts(db, 'metrics count queued mail'),
  );
  return Number(rows[0]?.mails);
}

/** Fails queued mail that is too old when a suspension ends. */
export async function failStaleMail(
  tx: Tx,
  resumed: { readonly accountId: string; readonly now: Date; readonly stale: StaleCutoff },
): Promise<void> {
  const { accountId, now, stale } = resumed;
  await tx
    .updateTable('outbound_mails')
    .set({
      ...clearedContent,
      status: 'failed',
      next_attempt_at: null,
      lease_until: null,
      response: stale.reason,
    })
    .where('account_id', '=', accountId)
    .where('next_attempt_at', 'is not', null)
    // Includes mails that a dead process was sending, which would be retried.
    .where(isLeaseExpired('lease_until', now))
    .where('created_at', '<', stale.before)
    .execute();
}

/**
 * Removes the content of mails that quote erased memories, reply to mails that became one, or were
 * triggered by events about one. For erased reactions and digests, also removes the recipients.
 * Queued mails fail.
 */
export async function eraseOutboundContent(
  tx: Tx,
  accountId: string,
  erased: {
    readonly memoryIds: readonly string[];
    readonly mailIds: readonly string[];
    readonly eventIds: readonly string[];
    /** Reactions and digests. */
    readonly causeIds: readonly string[];
  },
): Promise<void> {
  const { memoryIds, mailIds, eventIds, causeIds } = erased;
  // Keys are reaction:<id>:<event id>:<recipient> and digest:<id>:…
  const isOfCause = sql`
    kind <> 'answer' and split_part(dedupe_key, ':', 2) = any(${causeIds}::text[])`;
  await sql`
    update outbound_mails set subject = ${erasedText}, text = '', html = null,
      recipient = case when ${isOfCause} then ${erasedText} else recipient end,
      headers = case when ${isOfCause} then '{}' else headers end,
      dedupe_key = case when ${isOfCause} then 'erased:' || id else dedupe_key end,
      status = case when next_attempt_at is null then status else 'failed' end,
      response = case when next_attempt_at is null then response
        else 'The content of the mail was erased.' end,
      next_attempt_at = null, lease_until = null
    where account_id = ${accountId}::uuid and (
      memory_ids && ${memoryIds}::uuid[]
      or mail_id = any(${mailIds}::uuid[])
      or (kind = 'reaction' and split_part(dedupe_key, ':', 3) = any(${eventIds}::text[]))
      or (${isOfCause})
    )`.execute(tx);
}

/** Deletes finished mails created before `before`; returns the number. */
export async function pruneOutboundRows(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from outbound_mails where (account_id, id) in (
      select account_id, id from outbound_mails
      where created_at < ${before}::timestamptz and next_attempt_at is null
      order by created_at limit ${limit}::int
    )`.execute(acrossAvailableAccounts(db, 'old mail expires'));
  return Number(numAffectedRows ?? 0n);
}
