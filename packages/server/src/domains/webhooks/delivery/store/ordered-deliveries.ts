import { sql } from 'kysely';
import { type Db, isLeaseExpired, type Tx } from '../../../../database/index.ts';
import { canSend } from '../../../../events/delivery-pause.ts';
import type { WebhookRecord } from '../../model.ts';
import type { WebhookRef } from '../model.ts';

/** Who holds a webhook's line, and until when. */
export interface Lease {
  readonly by: string;
  readonly until: Date;
}

export interface WaitingWebhook extends WebhookRef {
  /** Its last attempt failed. */
  readonly failing: boolean;
}

/**
 * Webhooks that may have something to be told and that nobody tells it, those that have waited
 * longest first. Of any account: who sends knows none before.
 */
export async function findWaitingWebhooks(
  db: Db,
  look: {
    readonly now: Date;
    readonly except: readonly string[];
    readonly healthy: number;
    readonly failing: number;
  },
): Promise<WaitingWebhook[]> {
  const { rows } = await sql<WaitingWebhook>`
    select account_id as "accountId", id as "webhookId", failing
    from (
      select webhooks.account_id, webhooks.id, webhooks.last_triggered_at,
        webhooks.failure_count > 0 as failing,
        row_number() over (
          partition by webhooks.failure_count > 0
          order by webhooks.last_triggered_at nulls first, webhooks.id
        ) as place
      from webhooks join streams on streams.account_id = webhooks.account_id
      where webhooks.is_active and ${canSend('webhooks.account_id')}
        and ${isLeaseExpired('webhooks.lease_until', look.now)}
        and not (webhooks.id = any(${look.except}::uuid[]))
        and (
          streams.position > webhooks.told_to
          or exists (
            select from webhook_deliveries as delivery
            where delivery.account_id = webhooks.account_id
              and delivery.webhook_id = webhooks.id and delivery.status = 'pending'
          )
        )
    ) as waiting
    where place <= case when failing then ${look.failing}::int else ${look.healthy}::int end
    order by last_triggered_at nulls first, id`.execute(db);
  return rows;
}

/** Whether anybody is to be told anything; false: nothing need be looked for. */
export async function hasActiveWebhooks(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('webhooks')
    .select('id')
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes the line, or keeps one that is held: locked until the transaction ends. Undefined where
 * another holds it, there is nobody to tell, or the account may not send.
 */
export async function acquireLease(
  tx: Tx,
  { accountId, webhookId }: WebhookRef,
  lease: Lease,
  now: Date,
): Promise<WebhookRecord | undefined> {
  return tx
    .updateTable('webhooks')
    .set({ lease_until: lease.until, leased_by: lease.by })
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .where('is_active', '=', true)
    .where(canSend('webhooks.account_id'))
    .where((eb) => eb.or([eb('leased_by', '=', lease.by), isLeaseExpired('lease_until', now)]))
    .returningAll()
    .executeTakeFirst();
}

/** False where the lease was lost, nobody is to be told any more, or the account may not send. */
export async function renewLease(
  db: Db,
  { accountId, webhookId }: WebhookRef,
  lease: Lease,
): Promise<boolean> {
  const row = await db
    .updateTable('webhooks')
    .set({ lease_until: lease.until })
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .where('leased_by', '=', lease.by)
    .where('is_active', '=', true)
    .where(canSend('webhooks.account_id'))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function releaseLease(
  db: Db,
  { accountId, webhookId }: WebhookRef,
  by: string,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ lease_until: null, leased_by: null })
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .where('leased_by', '=', by)
    .execute();
}

/** What was read of the outbox, and what became of it. The row must be locked. */
export async function advanceCursor(
  tx: Tx,
  { accountId, webhookId }: WebhookRef,
  step: {
    readonly toldTo?: number;
    /** Given to deliveries; those that were there already leave theirs unused. */
    readonly numbers: number;
    readonly deliveries: number;
    /** Of these deliveries, those that fail without an attempt. */
    readonly failures?: number;
    readonly release: boolean;
  },
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set((eb) => ({
      ...(step.toldTo === undefined ? {} : { told_to: step.toldTo }),
      last_number: eb('last_number', '+', step.numbers),
      total_deliveries: eb('total_deliveries', '+', step.deliveries),
      failed_deliveries: eb('failed_deliveries', '+', step.failures ?? 0),
      ...(step.release ? { lease_until: null, leased_by: null } : {}),
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .execute();
}

/**
 * Gives every lease back. For the start on an embedded database: who held them is dead, since no
 * other process can have it open.
 */
export async function releaseAllLeases(db: Db): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ lease_until: null, leased_by: null })
    .where('lease_until', 'is not', null)
    .execute();
  await db
    .updateTable('webhook_deliveries')
    .set({ lease_until: null })
    .where('status', '=', 'retrying')
    .where('lease_until', 'is not', null)
    .execute();
}
