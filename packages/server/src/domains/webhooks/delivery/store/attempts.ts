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
 * Records attempts and updates the counters of their webhooks, in order; one statement, so that
 * many share a commit. Null for deliveries that another process attempted, or that are deleted.
 */
export async function recordAttempts(
  db: Db,
  attempts: readonly AttemptRecord[],
  now: Date,
): Promise<(WebhookState | null)[]> {
  const rows = attempts.map((attempt, place) => ({ place, ...attempt }));
  const result = await sql<WebhookState & { place: number }>`
    with said as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as row (place integer,
        account_id uuid, webhook_id uuid, number bigint, before_status text,
        before_attempts integer, status text, next_attempt_at timestamptz,
        delivered_at timestamptz, response_status smallint, response_body text,
        response_time_ms integer, error text, disables text, releases uuid)
    ), locked as (
      select account_id, id from webhooks
      where (account_id, id) in (select account_id, webhook_id from said)
      order by account_id, id for update
    ), changed as (
      update webhook_deliveries as delivery set
        status = said.status, attempts = before_attempts + 1, lease_until = null,
        next_attempt_at = said.next_attempt_at, delivered_at = said.delivered_at,
        response_status = said.response_status, response_body = said.response_body,
        response_time_ms = said.response_time_ms, error = said.error
      from said join locked on locked.account_id = said.account_id and locked.id = said.webhook_id
      where delivery.account_id = said.account_id and delivery.webhook_id = said.webhook_id
        and delivery.number = said.number
        and delivery.status = before_status and delivery.attempts = before_attempts
      returning said.*
    ), ends as (
      select account_id, webhook_id, max(place) filter (where status = 'success') as taken
      from changed group by account_id, webhook_id
    ), sums as (
      select account_id, webhook_id, taken,
        count(*) filter (where status = 'success') as successes,
        count(*) filter (where status = 'failed')
          - count(*) filter (where before_status = 'failed') as failures,
        count(*) filter (where place > coalesce(taken, -1)) as since,
        max(disables) as reason,
        max(releases::text)::uuid as released
      from changed join ends using (account_id, webhook_id)
      group by account_id, webhook_id, taken
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
      from sums where webhooks.account_id = sums.account_id and id = webhook_id
      returning sums.account_id, webhook_id, is_active, revision
    )
    select place, is_active, revision
    from changed join counted using (account_id, webhook_id)`.execute(db);
  const byPlace = new Map(result.rows.map(({ place, ...after }) => [place, after]));
  return attempts.map((_, place) => byPlace.get(place) ?? null);
}
