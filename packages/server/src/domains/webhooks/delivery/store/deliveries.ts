import { sql } from 'kysely';
import {
  accountRow,
  acrossAccounts,
  acrossAvailableAccounts,
  type Db,
  isDue,
  isLeaseExpired,
  readPage,
  type Tx,
} from '../../../../database/index.ts';
import { canAccountSendCondition, type StaleCutoff } from '../../../../events/delivery-pause.ts';
import type { DeliveryRecord, WebhookRef } from '../model.ts';

/** An upper bound of the wait for the next attempt; see retry-schedule.ts. */
const waitMsMax = 70 * 86_400_000;

const columns = [
  'account_id',
  'webhook_id',
  'number',
  'id',
  'event_id',
  'event_type',
  'event_created_at',
  'body',
  'status',
  'attempts',
  'next_attempt_at',
  'response_status',
  'response_body',
  'response_time_ms',
  'error',
  'created_at',
  'delivered_at',
] as const;

const columnNames = sql.join(columns.map((column) => sql.ref(column)));

const selectDeliveries = (db: Db, { accountId, webhookId }: WebhookRef) =>
  db
    .selectFrom('webhook_deliveries')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId);

export interface NewDelivery {
  readonly number: number;
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly event_created_at: Date;
  readonly body: string;
  /** Why it fails without an attempt; absent: it is to be attempted. */
  readonly error?: string;
}

/** Skips existing deliveries; returns the number of inserted ones. */
export async function insertDeliveries(
  tx: Tx,
  { accountId, webhookId }: WebhookRef,
  rows: readonly NewDelivery[],
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries
      (account_id, webhook_id, number, id, event_id, event_type, event_created_at, body, status,
        error, created_at)
    select account.account_id, ${webhookId}::uuid, number, id, event_id, event_type,
      event_created_at, body,
      case when error is null then 'pending' else 'failed' end, error, ${now}::timestamptz
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(rows)}::json) as row (number bigint, id uuid,
      event_id uuid, event_type text, event_created_at timestamptz, body text, error text)
    on conflict (account_id, webhook_id, id) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Deliveries without an attempt, in order: at most `count`, and about `bytes`. */
export async function findPendingDeliveries(
  db: Db,
  { accountId, webhookId }: WebhookRef,
  limits: { readonly count: number; readonly bytes: number },
): Promise<DeliveryRecord[]> {
  const { rows } = await sql<DeliveryRecord>`
    select ${columnNames} from (
      select *, sum(octet_length(body)) over (order by number) - octet_length(body) as before
      from (
        select * from webhook_deliveries
        where account_id = ${accountId}::uuid and webhook_id = ${webhookId}::uuid
          and status = 'pending'
        order by number limit ${limits.count}::int
      ) as first
    ) as measured
    where before < ${limits.bytes}::int
    order by number`.execute(db);
  return rows;
}

/** Deliveries of these events, in any state. */
export const findDeliveriesOfEvents = (
  tx: Tx,
  accountId: string,
  eventIds: readonly string[],
): Promise<{ webhook_id: string; number: number; event_id: string; payload_form: string }[]> =>
  tx
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', (on) =>
      on
        .onRef('webhooks.account_id', '=', 'delivery.account_id')
        .onRef('webhooks.id', '=', 'delivery.webhook_id'),
    )
    .select(['delivery.webhook_id', 'delivery.number', 'delivery.event_id', 'payload_form'])
    .where('delivery.account_id', '=', accountId)
    .where(sql<boolean>`delivery.event_id = any(${eventIds}::uuid[])`)
    .execute();

/** Also removes the responses, which may repeat the request. */
export async function replaceDeliveryBodies(
  tx: Tx,
  accountId: string,
  rows: readonly { readonly webhook_id: string; readonly number: number; readonly body: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update webhook_deliveries as delivery set body = row.body, response_body = null
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (webhook_id uuid, number bigint, body text)
    where delivery.account_id = ${accountId}::uuid
      and delivery.webhook_id = row.webhook_id and delivery.number = row.number`.execute(tx);
}

interface DueRetry extends WebhookRef {
  readonly number: number;
  /** The webhook's last attempt failed. */
  readonly failing: boolean;
}

/** Due retries of any account, longest waiting first. */
export async function findDueRetries(
  db: Db,
  query: {
    readonly now: Date;
    readonly except: readonly string[];
    readonly failing: boolean;
    readonly limit: number;
  },
): Promise<DueRetry[]> {
  const { rows } = await sql<DueRetry>`
    select delivery.account_id as "accountId", delivery.webhook_id as "webhookId",
      delivery.number, webhooks.failure_count > 0 as failing
    from webhook_deliveries as delivery
    join webhooks on webhooks.account_id = delivery.account_id and webhooks.id = webhook_id
    where delivery.status = 'retrying'
      and ${isDue('delivery.next_attempt_at', query.now, waitMsMax)}
      and ${isLeaseExpired('delivery.lease_until', query.now)}
      and webhooks.is_active and ${canAccountSendCondition('delivery.account_id')}
      and (${query.failing}::boolean or webhooks.failure_count = 0)
      and not (webhooks.id = any(${query.except}::uuid[]))
    order by delivery.next_attempt_at limit ${query.limit}::int`.execute(
    acrossAvailableAccounts(db, 'senders look for due retries'),
  );
  return rows;
}

interface Lease {
  readonly now: Date;
  readonly until: Date;
}

/** Leases a delivery for an attempt, unless one is running or the account may not send. */
const leaseDelivery = (db: Db, { accountId, webhookId }: WebhookRef, { now, until }: Lease) =>
  db
    .updateTable('webhook_deliveries')
    .set({ lease_until: until })
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)
    .where(isLeaseExpired('lease_until', now))
    .where(canAccountSendCondition('webhook_deliveries.account_id'))
    .returning(columns);

/** Undefined if another process leased or attempted it. */
export const leaseRetry = (
  db: Db,
  webhookRef: WebhookRef,
  number: number,
  lease: Lease,
): Promise<DeliveryRecord | undefined> =>
  leaseDelivery(db, webhookRef, lease)
    .where('number', '=', number)
    .where('status', '=', 'retrying')
    .where(isDue('next_attempt_at', lease.now, waitMsMax))
    .executeTakeFirst();

/** Regardless of the schedule. Undefined for other states, or while an attempt is running. */
export const leaseForManualRetry = (
  db: Db,
  webhookRef: WebhookRef,
  id: string,
  lease: Lease,
): Promise<DeliveryRecord | undefined> =>
  leaseDelivery(db, webhookRef, lease)
    .where('id', '=', id)
    .where('status', 'in', ['failed', 'retrying'])
    .executeTakeFirst();

export async function releaseDeliveryLease(
  db: Db,
  { accountId, webhookId }: WebhookRef,
  number: number,
  until: Date,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_until: null })
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)
    .where('number', '=', number)
    .where('lease_until', '=', until)
    .execute();
}

/**
 * At the end of a suspension: fails deliveries of events that are too old, without an attempt. A
 * running attempt still records its result.
 */
export async function failStaleDeliveries(
  tx: Tx,
  resumed: { readonly accountId: string; readonly now: Date; readonly stale: StaleCutoff },
): Promise<void> {
  const { accountId, now, stale } = resumed;
  // A separate statement, so that the next one sees the writes of previous lock holders.
  await sql`
    select from webhooks where account_id = ${accountId}::uuid order by id for update`.execute(tx);
  await sql`
    with failed as (
      update webhook_deliveries as delivery
      set status = 'failed', next_attempt_at = null, lease_until = null, error = ${stale.reason}
      where delivery.account_id = ${accountId}::uuid
        and delivery.status in ('pending', 'retrying')
        and ${isLeaseExpired('delivery.lease_until', now)}
        and delivery.event_created_at < ${stale.before}::timestamptz
      returning webhook_id
    ), counted as (
      select webhook_id, count(*) as failures from failed group by webhook_id
    )
    update webhooks set failed_deliveries = failed_deliveries + failures
    from counted
    where webhooks.account_id = ${accountId}::uuid and webhooks.id = counted.webhook_id`.execute(
    tx,
  );
}

export const findDelivery = (
  db: Db,
  webhookRef: WebhookRef,
  id: string,
): Promise<DeliveryRecord | undefined> =>
  selectDeliveries(db, webhookRef).select(columns).where('id', '=', id).executeTakeFirst();

export interface DeliveryFilter {
  readonly status?: string | undefined;
  readonly eventType?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Newest first. */
export function listDeliveryRows(
  db: Db,
  webhookRef: WebhookRef,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: DeliveryRecord[]; total: number }> {
  let query = selectDeliveries(db, webhookRef).select(columns);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.eventType !== undefined) query = query.where('event_type', '=', filter.eventType);
  if (filter.since !== undefined) query = query.where('created_at', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('created_at', '<=', filter.until);
  return readPage(query.orderBy('number', 'desc'), page);
}

/**
 * Deletes deliveries created before `before` that are finished, or that wait for a disabled
 * webhook; returns their number.
 */
export async function pruneDeliveryRows(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where (account_id, webhook_id, number) in (
      select delivery.account_id, delivery.webhook_id, delivery.number
      from webhook_deliveries as delivery
      left join webhooks on webhooks.account_id = delivery.account_id and webhooks.id = webhook_id
      where delivery.created_at < ${before}::timestamptz
        and (delivery.status in ('success', 'failed') or webhooks.is_active is not true)
      order by delivery.created_at limit ${limit}::int
    )`.execute(acrossAvailableAccounts(db, 'old deliveries expire'));
  return Number(numAffectedRows ?? 0n);
}

/** Deliveries of all accounts that are still to be made. */
export async function countWaitingDeliveries(
  db: Db,
): Promise<{ readonly pending: number; readonly retrying: number }> {
  const { rows } = await sql<{ pending: string; retrying: string }>`
    select
      (select count(*) from webhook_deliveries where status = 'pending') as pending,
      (select count(*) from webhook_deliveries where status = 'retrying') as retrying
  `.execute(acrossAccounts(db, 'metrics count waiting deliveries'));
  return { pending: Number(rows[0]?.pending), retrying: Number(rows[0]?.retrying) };
}
