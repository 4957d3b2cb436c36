import { sql } from 'kysely';
import {
  acrossAccounts,
  acrossAvailableAccounts,
  type Db,
  isLeaseAvailable,
  isLeaseExpired,
  type LeasedRow,
  releaseAllLeases,
  type Tx,
} from '../../../../database/index.ts';
import { canAccountSendCondition } from '../../../../events/delivery-pause.ts';
import {
  countUnprocessedEvents,
  hasUnprocessedEventsCondition,
} from '../../../../events/event-cursor.ts';
import type { Lease } from '../../../../kernel/lease.ts';
import type { WebhookRecord } from '../../model.ts';
import type { WebhookRef } from '../model.ts';

export interface WaitingWebhook extends WebhookRef {
  /** Its last attempt failed. */
  readonly failing: boolean;
}

/**
 * Unleased webhooks that may have deliveries to send, longest waiting first, of any account:
 * senders serve all accounts.
 */
export async function findWaitingWebhooks(
  db: Db,
  query: {
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
      from webhooks join account_positions on account_positions.account_id = webhooks.account_id
      where webhooks.is_active and ${canAccountSendCondition('webhooks.account_id')}
        and ${isLeaseExpired('webhooks.lease_until', query.now)}
        and not (webhooks.id = any(${query.except}::uuid[]))
        and (
          ${hasUnprocessedEventsCondition('webhooks')}
          or exists (
            select from webhook_deliveries as delivery
            where delivery.account_id = webhooks.account_id
              and delivery.webhook_id = webhooks.id and delivery.status = 'pending'
          )
        )
    ) as waiting
    where place <= case when failing then ${query.failing}::int else ${query.healthy}::int end
    order by last_triggered_at nulls first, id`.execute(
    acrossAvailableAccounts(db, 'senders look for webhooks with events to deliver'),
  );
  return rows;
}

/** Whether any webhook is active; if not, no polling is needed. */
export async function hasActiveWebhooks(db: Db): Promise<boolean> {
  const row = await acrossAvailableAccounts(db, 'without an active webhook, senders do not poll')
    .selectFrom('webhooks')
    .select('id')
    .where('is_active', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Acquires or renews the lease, and locks the row until the transaction ends. Undefined if another
 * process holds it, the webhook is inactive, or the account may not send.
 */
export async function acquireWebhookLease(
  tx: Tx,
  { accountId, webhookId }: WebhookRef,
  lease: Lease,
  now: Date,
): Promise<WebhookRecord | undefined> {
  return tx
    .updateTable('webhooks')
    .set({ lease_until: lease.until, leased_by: lease.holder })
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .where('is_active', '=', true)
    .where(canAccountSendCondition('webhooks.account_id'))
    .where(isLeaseAvailable('webhooks', lease.holder, now))
    .returningAll()
    .executeTakeFirst();
}

/** The webhook as the row of a lease. */
export const leasedWebhook = ({ accountId, webhookId }: WebhookRef): LeasedRow => ({
  table: 'webhooks',
  where: sql`account_id = ${accountId}::uuid and id = ${webhookId}::uuid`,
});

/** Like `leasedWebhook`, while the webhook is active and the account may send. */
export const leasedActiveWebhook = (webhookRef: WebhookRef): LeasedRow => {
  const { table, where } = leasedWebhook(webhookRef);
  return {
    table,
    where: sql`${where} and is_active and ${canAccountSendCondition('webhooks.account_id')}`,
  };
};

/** Advances the cursor past the events that were read. The row must be locked. */
export async function advanceWebhookCursor(
  tx: Tx,
  { accountId, webhookId }: WebhookRef,
  step: {
    readonly upTo?: number;
    /** Sequence numbers used; those of existing deliveries stay unused. */
    readonly numbers: number;
    readonly deliveries: number;
    /** The number of these deliveries that fail without an attempt. */
    readonly failures?: number;
    readonly release: boolean;
  },
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set((eb) => ({
      ...(step.upTo === undefined ? {} : { cursor: step.upTo }),
      last_sequence_number: eb('last_sequence_number', '+', step.numbers),
      total_deliveries: eb('total_deliveries', '+', step.deliveries),
      failed_deliveries: eb('failed_deliveries', '+', step.failures ?? 0),
      ...(step.release ? { lease_until: null, leased_by: null } : {}),
    }))
    .where('account_id', '=', accountId)
    .where('id', '=', webhookId)
    .execute();
}

/** Releases the leases of a former process; see `releaseAllLeases`. */
export async function releaseWebhookLeases(db: Db): Promise<void> {
  await releaseAllLeases(db, 'webhooks');
  await acrossAccounts(db, 'the start releases the leases of a former process')
    .updateTable('webhook_deliveries')
    .set({ lease_until: null })
    .where('status', '=', 'retrying')
    .where('lease_until', 'is not', null)
    .execute();
}

/** Events that active webhooks have still to process, over all accounts. */
export const countEventsToDeliver = (db: Db): Promise<number> =>
  countUnprocessedEvents(db, 'webhooks', sql`is_active`);
