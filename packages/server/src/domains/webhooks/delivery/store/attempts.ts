import { sql } from 'kysely';
import type { Db } from '../../../../database/index.ts';

/** An attempt, and the resulting state of its delivery. */
export interface AttemptRecord {
  readonly account_id: string;
  readonly webhook_id: string;
  readonly number: number;
  /** The state before the attempt; if it differs, another process made an attempt. */
  readonly before_status: string;
  readonly before_attempts: number;
  readonly status: string;
  readonly next_attempt_at: Date | null;
  readonly delivered_at: Date | null;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly response_time_ms: number;
  readonly error: string | null;
  /** Why the webhook is disabled; null: it is not. */
  readonly disables: string | null;
  /** The owner of the lease that ends with this attempt; null: the run continues. */
  readonly releases: string | null;
}

/** The state of a webhook after the attempt. */
export interface WebhookState {
  readonly is_active: boolean;
  readonly revision: number;
}

/**
 * Records attempts of one account and updates the counters of their webhooks, in order; one
 * statement, so that many share a commit. Null for deliveries that another process attempted, or
 * that are deleted.
 */
export async function recordAttempts(
  db: Db,
  attempts: readonly AttemptRecord[],
  now: Date,
): Promise<(WebhookState | null)[]> {
  const accountId = attempts[0]?.account_id;
  const rows = attempts.map((attempt, place) => ({ place, ...attempt }));
  const result = await sql<WebhookState & { place: number }>`
    with said as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as row (place integer,
        webhook_id uuid, number bigint, before_status text, before_attempts integer,
        status text, next_attempt_at timestamptz,
        delivered_at timestamptz, response_status smallint, response_body text,
        response_time_ms integer, error text, disables text, releases uuid)
      -- A plan for any account expects few rows then, and does not scan all deliveries.
      limit ${rows.length}::int
    ), locked as (
      select id from webhooks
      where account_id = ${accountId}::uuid and id in (select webhook_id from said)
      order by id for update
    ), changed as (
      update webhook_deliveries as delivery set
        status = said.status, attempts = before_attempts + 1, lease_until = null,
        next_attempt_at = said.next_attempt_at, delivered_at = said.delivered_at,
        response_status = said.response_status, response_body = said.response_body,
        response_time_ms = said.response_time_ms, error = said.error
      from said join locked on locked.id = said.webhook_id
      where delivery.account_id = ${accountId}::uuid and delivery.webhook_id = said.webhook_id
        and delivery.number = said.number
        and delivery.status = before_status and delivery.attempts = before_attempts
      returning said.*
    ), ends as (
      select webhook_id, max(place) filter (where status = 'success') as taken
      from changed group by webhook_id
    ), sums as (
      select webhook_id, taken,
        count(*) filter (where status = 'success') as successes,
        count(*) filter (where status = 'failed')
          - count(*) filter (where before_status = 'failed') as failures,
        count(*) filter (where place > coalesce(taken, -1)) as since,
        max(disables) as reason,
        max(releases::text)::uuid as released
      from changed join ends using (webhook_id)
      group by webhook_id, taken
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
      from sums where account_id = ${accountId}::uuid and id = webhook_id
      returning webhook_id, is_active, revision
    )
    select place, is_active, revision
    from changed join counted using (webhook_id)`.execute(db);
  const byPlace = new Map(result.rows.map(({ place, ...after }) => [place, after]));
  return attempts.map((_, place) => byPlace.get(place) ?? null);
}
