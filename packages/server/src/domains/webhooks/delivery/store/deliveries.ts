import { sql } from 'kysely';
import { type Db, isDue, isLeaseOver, readPage, type Tx } from '../../../../engine/index.ts';
import type { DeliveryRecord, WebhookPlace } from '../model.ts';

/** No delivery waits for its next attempt for longer; see schedule.ts. */
const waitMsMax = 70 * 86_400_000;

const columns = [
  'account_id',
  'webhook_id',
  'number',
  'id',
  'event_id',
  'event_type',
  'event_at',
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

const present = (db: Db, { accountId, webhookId }: WebhookPlace) =>
  db
    .selectFrom('webhook_deliveries')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId);

export interface NewDelivery {
  readonly number: number;
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly event_at: Date;
  readonly body: string;
}

/** One that is there already stays as it is; returns how many were not. */
export async function insertDeliveries(
  tx: Tx,
  { accountId, webhookId }: WebhookPlace,
  rows: readonly NewDelivery[],
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries
      (account_id, webhook_id, number, id, event_id, event_type, event_at, body, status, created_at)
    select ${accountId}::uuid, ${webhookId}::uuid, number, id, event_id, event_type, event_at, body,
      'pending', ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (number bigint, id uuid,
      event_id uuid, event_type text, event_at timestamptz, body text)
    on conflict (account_id, webhook_id, id) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Those that have not been attempted, in their order: at most `count`, and about `bytes`. */
export async function pendingDeliveries(
  db: Db,
  { accountId, webhookId }: WebhookPlace,
  most: { readonly count: number; readonly bytes: number },
): Promise<DeliveryRecord[]> {
  const { rows } = await sql<DeliveryRecord>`
    select ${columnNames} from (
      select *, sum(octet_length(body)) over (order by number) - octet_length(body) as before
      from (
        select * from webhook_deliveries
        where account_id = ${accountId}::uuid and webhook_id = ${webhookId}::uuid
          and status = 'pending'
        order by number limit ${most.count}::int
      ) as first
    ) as measured
    where before < ${most.bytes}::int
    order by number`.execute(db);
  return rows;
}

interface DueRetry extends WebhookPlace {
  readonly number: number;
  /** The webhook's last attempt failed. */
  readonly failing: boolean;
}

/** Retries that are due, of any account, those that have waited longest first. */
export async function findRetries(
  db: Db,
  look: {
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
    where delivery.status = 'retrying' and ${isDue('delivery.next_attempt_at', look.now, waitMsMax)}
      and ${isLeaseOver('delivery.lease_until', look.now)}
      and webhooks.is_active
      and (${look.failing}::boolean or webhooks.failure_count = 0)
      and not (webhooks.id = any(${look.except}::uuid[]))
    order by delivery.next_attempt_at limit ${look.limit}::int`.execute(db);
  return rows;
}

interface Lease {
  readonly now: Date;
  readonly until: Date;
}

/** For an attempt, where none is under way. */
const leased = (db: Db, { accountId, webhookId }: WebhookPlace, { now, until }: Lease) =>
  db
    .updateTable('webhook_deliveries')
    .set({ lease_until: until })
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)
    .where(isLeaseOver('lease_until', now))
    .returning(columns);

/** Undefined where another has taken it meanwhile. */
export const takeRetry = (
  db: Db,
  place: WebhookPlace,
  number: number,
  lease: Lease,
): Promise<DeliveryRecord | undefined> =>
  leased(db, place, lease)
    .where('number', '=', number)
    .where('status', '=', 'retrying')
    .where(isDue('next_attempt_at', lease.now, waitMsMax))
    .executeTakeFirst();

/** Whenever it is due. Undefined where it is in no such state, or under way. */
export const takeByHand = (
  db: Db,
  place: WebhookPlace,
  id: string,
  lease: Lease,
): Promise<DeliveryRecord | undefined> =>
  leased(db, place, lease)
    .where('id', '=', id)
    .where('status', 'in', ['failed', 'retrying'])
    .executeTakeFirst();

export async function giveDeliveryBack(
  db: Db,
  { accountId, webhookId }: WebhookPlace,
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

export const findDelivery = (
  db: Db,
  place: WebhookPlace,
  id: string,
): Promise<DeliveryRecord | undefined> =>
  present(db, place).select(columns).where('id', '=', id).executeTakeFirst();

export interface DeliveryFilter {
  readonly status?: string | undefined;
  readonly eventType?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Newest first. */
export function listDeliveryRows(
  db: Db,
  place: WebhookPlace,
  filter: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: DeliveryRecord[]; total: number }> {
  let query = present(db, place).select(columns);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.eventType !== undefined) query = query.where('event_type', '=', filter.eventType);
  if (filter.since !== undefined) query = query.where('created_at', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('created_at', '<=', filter.until);
  return readPage(query.orderBy('number', 'desc'), page);
}

/**
 * Removes what was made before `before` and has ended, or waits for a webhook that is switched
 * off; returns how many.
 */
export async function trimDeliveryRows(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where (account_id, webhook_id, number) in (
      select delivery.account_id, delivery.webhook_id, delivery.number
      from webhook_deliveries as delivery
      left join webhooks on webhooks.account_id = delivery.account_id and webhooks.id = webhook_id
      where delivery.created_at < ${before}::timestamptz
        and (delivery.status in ('success', 'failed') or webhooks.is_active is not true)
      order by delivery.created_at limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
