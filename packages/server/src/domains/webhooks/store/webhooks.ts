import { sql } from 'kysely';
import { type Db, readPage, type Tx } from '../../../database/index.ts';
import type { WebhookRecord } from '../model.ts';

/** A key that is limited to spaces sees only webhooks limited to a subset of its spaces. */
type VisibleSpaces = readonly string[] | null;

const selectWebhooks = (db: Db, accountId: string) =>
  db.selectFrom('webhooks').where('account_id', '=', accountId);

function selectVisibleWebhooks(db: Db, accountId: string, visible: VisibleSpaces) {
  const query = selectWebhooks(db, accountId);
  return visible === null ? query : query.where(sql<boolean>`spaces <@ ${visible}::text[]`);
}

type NewRow = Omit<
  WebhookRecord,
  | 'cursor'
  | 'last_sequence_number'
  | 'total_deliveries'
  | 'successful_deliveries'
  | 'failed_deliveries'
  | 'failure_count'
  | 'last_triggered_at'
  | 'lease_until'
  | 'leased_by'
  | 'revision'
>;

/** Undefined if the name is in use. Call `startCursors` in the same transaction. */
export async function insertWebhook(tx: Tx, row: NewRow): Promise<WebhookRecord | undefined> {
  return tx
    .insertInto('webhooks')
    .values({ ...row, filters: JSON.stringify(row.filters), cursor: 0 })
    .onConflict((on) => on.columns(['account_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export const findWebhook = (
  db: Db,
  accountId: string,
  id: string,
): Promise<WebhookRecord | undefined> =>
  selectWebhooks(db, accountId).selectAll().where('id', '=', id).executeTakeFirst();

/** Locked in the order of their ids to prevent deadlocks. */
export const lockWebhooks = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<WebhookRecord[]> =>
  selectWebhooks(tx, accountId)
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Waits for transactions that create deliveries of the account. */
export async function lockAllWebhooks(tx: Tx, accountId: string): Promise<void> {
  await selectWebhooks(tx, accountId).select('id').orderBy('id').forUpdate().execute();
}

/** Names in the account that begin with `start`. */
export async function findNamesWithPrefix(
  db: Db,
  accountId: string,
  start: string,
): Promise<Set<string>> {
  const rows = await selectWebhooks(db, accountId)
    .select('name')
    .where(sql<boolean>`starts_with(name, ${start})`)
    .execute();
  return new Set(rows.map(({ name }) => name));
}

export interface WebhookFilter {
  readonly visible: VisibleSpaces;
  /** Webhooks with any of these subscriptions. */
  readonly subscriptions: readonly string[] | null;
  readonly isActive: boolean | undefined;
  /** Null: not bound to a space. */
  readonly spaceId: string | null | undefined;
}

/** Newest first. */
export async function listWebhookRows(
  db: Db,
  accountId: string,
  filter: WebhookFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: WebhookRecord[]; total: number }> {
  const { visible, subscriptions, isActive, spaceId } = filter;
  let query = selectVisibleWebhooks(db, accountId, visible).selectAll();
  if (subscriptions !== null) {
    query = query.where(sql<boolean>`events && ${subscriptions}::text[]`);
  }
  if (isActive !== undefined) query = query.where('is_active', '=', isActive);
  if (spaceId === null) query = query.where('space_id', 'is', null);
  else if (spaceId !== undefined) query = query.where('space_id', '=', spaceId);
  return readPage(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

/** Settings only: delivery counters are written elsewhere, and are no new revision. */
export type WebhookSettings = Pick<
  WebhookRecord,
  | 'name'
  | 'url'
  | 'events'
  | 'description'
  | 'space_id'
  | 'filters'
  | 'secret'
  | 'secret_hint'
  | 'previous_secret'
  | 'previous_secret_expires_at'
  | 'headers'
  | 'header_names'
  | 'max_retries'
  | 'retry_delay_seconds'
  | 'retry_schedule'
  | 'payload_form'
  | 'signature_form'
  | 'is_active'
  | 'disabled_reason'
  | 'failure_count'
>;

export async function updateWebhookRow(
  tx: Tx,
  { account_id, id, revision }: WebhookRecord,
  { filters, ...set }: Partial<WebhookSettings>,
  now: Date,
): Promise<WebhookRecord> {
  return tx
    .updateTable('webhooks')
    .set({
      ...set,
      ...(filters ? { filters: JSON.stringify(filters) } : {}),
      revision: revision + 1,
      updated_at: now,
    })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteWebhookRows(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('webhooks')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

/** Deletes some deliveries of one webhook or of the account. False if none were left. */
export async function deleteSomeDeliveries(
  db: Db,
  accountId: string,
  webhookId: string | null,
  limit: number,
): Promise<boolean> {
  const webhookCondition = webhookId === null ? sql`true` : sql`webhook_id = ${webhookId}::uuid`;
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries
    where account_id = ${accountId}::uuid and (webhook_id, number) in (
      select webhook_id, number from webhook_deliveries
      where account_id = ${accountId}::uuid and ${webhookCondition} limit ${limit}::int
    )`.execute(db);
  return Number(numAffectedRows ?? 0n) > 0;
}

export async function deleteAllWebhooks(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('webhooks').where('account_id', '=', accountId).execute();
}

export async function countWebhooks(db: Db, accountId: string): Promise<number> {
  const { count } = await selectWebhooks(db, accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

interface Counts {
  readonly total: number;
  readonly active: number;
  readonly deliveries: number;
  readonly successful: number;
  readonly failed: number;
}

export async function readWebhookStats(
  db: Db,
  accountId: string,
  visible: VisibleSpaces,
): Promise<{ counts: Counts; events: { event: string; webhook_count: number }[] }> {
  const counts = await selectVisibleWebhooks(db, accountId, visible)
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where is_active)`.as('active'),
      sql<number>`coalesce(sum(total_deliveries), 0)::bigint`.as('deliveries'),
      sql<number>`coalesce(sum(successful_deliveries), 0)::bigint`.as('successful'),
      sql<number>`coalesce(sum(failed_deliveries), 0)::bigint`.as('failed'),
    ])
    .executeTakeFirstOrThrow();
  const { rows: events } = await sql<{ event: string; webhook_count: number }>`
    select event, count(*) as webhook_count
    from webhooks, unnest(events) as event
    where account_id = ${accountId}::uuid
      and (${visible === null}::boolean or spaces <@ ${visible ?? []}::text[])
    group by event
    order by webhook_count desc, event collate "C"`.execute(db);
  return { counts, events };
}
