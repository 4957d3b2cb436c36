import { sql } from 'kysely';
import type { Db } from '../../../../engine/index.ts';

/** An attempt that was made, and what the delivery is from then on. */
export interface Told {
  readonly accountId: string;
  readonly webhookId: string;
  readonly number: number;
  /** As it was when the attempt began: one that is no longer so was attempted by another. */
  readonly before: { readonly status: string; readonly attempts: number };
  readonly status: string;
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly responseTimeMs: number;
  readonly error: string | null;
  /** Why the webhook is switched off; null: it is not. */
  readonly disables: string | null;
  /** Whose line ends with it; null: it goes on. */
  readonly releases: string | null;
}

/** A webhook after the attempt. */
export interface After {
  readonly is_active: boolean;
  readonly revision: number;
}

/**
 * Writes attempts and counts them with their webhooks, in the order given; one statement, so that
 * many share a commit. Null for one that another attempted meanwhile, or that is gone.
 */
export async function applyOutcomes(
  db: Db,
  told: readonly Told[],
  now: Date,
): Promise<(After | null)[]> {
  const rows = told.map((one, i) => ({
    i,
    a: one.accountId,
    w: one.webhookId,
    n: one.number,
    bs: one.before.status,
    ba: one.before.attempts,
    s: one.status,
    na: one.nextAttemptAt,
    da: one.deliveredAt,
    rs: one.responseStatus,
    rb: one.responseBody,
    rt: one.responseTimeMs,
    e: one.error,
    d: one.disables,
    r: one.releases,
  }));
  const answer = await sql<After & { i: number }>`
    with said as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as row (i integer, a uuid,
        w uuid, n bigint, bs text, ba integer, s text, na timestamptz, da timestamptz,
        rs smallint, rb text, rt integer, e text, d text, r uuid)
    ), locked as (
      select account_id, id from webhooks
      where (account_id, id) in (select a, w from said)
      order by account_id, id for update
    ), changed as (
      update webhook_deliveries as delivery set status = s, attempts = ba + 1,
        next_attempt_at = na, delivered_at = da, lease_until = null,
        response_status = rs, response_body = rb, response_time_ms = rt, error = e
      from said join locked on locked.account_id = a and locked.id = w
      where delivery.account_id = a and delivery.webhook_id = w and delivery.number = n
        and delivery.status = bs and delivery.attempts = ba
      returning said.*
    ), ends as (
      select a, w, max(i) filter (where s = 'success') as taken from changed group by a, w
    ), sums as (
      select a, w, taken,
        count(*) filter (where s = 'success') as successes,
        count(*) filter (where s = 'failed') - count(*) filter (where bs = 'failed') as failures,
        count(*) filter (where i > coalesce(taken, -1)) as since,
        max(d) as reason,
        max(r::text)::uuid as released
      from changed join ends using (a, w) group by a, w, taken
    ), counted as (
      update webhooks set
        successful_deliveries = successful_deliveries + successes,
        failed_deliveries = failed_deliveries + failures,
        failure_count = since + case when taken is null then failure_count else 0 end,
        last_triggered_at = ${now}::timestamptz,
        is_active = is_active and reason is null,
        disabled_reason = case when is_active then coalesce(reason, disabled_reason)
          else disabled_reason end,
        revision = revision + case when is_active and reason is not null then 1 else 0 end,
        updated_at = case when is_active and reason is not null then ${now}::timestamptz
          else updated_at end,
        lease_until = case when leased_by = released then null else lease_until end
      from sums where account_id = a and id = w
      returning account_id, id, is_active, revision
    )
    select changed.i, counted.is_active, counted.revision
    from changed join counted on counted.account_id = a and counted.id = w`.execute(db);
  const byIndex = new Map(answer.rows.map(({ i, ...after }) => [i, after]));
  return told.map((_, i) => byIndex.get(i) ?? null);
}
