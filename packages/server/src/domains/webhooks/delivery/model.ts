import type { deliveryStatuses, WebhookDelivery } from '@mneme/contract';

type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Identifies a webhook; an object, so that the two ids cannot be swapped. */
export interface WebhookRef {
  readonly accountId: string;
  readonly webhookId: string;
}

export interface DeliveryRecord {
  readonly account_id: string;
  readonly webhook_id: string;
  /** The sequence number, which defines the order of first attempts. */
  readonly number: number;
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly event_created_at: Date;
  /** The exact bytes that each attempt sends. */
  readonly body: string;
  readonly status: string;
  /** Attempts so far. */
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly response_time_ms: number | null;
  readonly error: string | null;
  readonly created_at: Date;
  readonly delivered_at: Date | null;
}

/** A lease lasts longer than an attempt and its record. */
export const webhookLeaseMs = 60_000;
export const attemptTimeoutMs = 30_000;
export const responseBytesMax = 65_536;

export function presentDelivery(record: DeliveryRecord): WebhookDelivery {
  return {
    id: record.id,
    webhook_id: record.webhook_id,
    event_type: record.event_type,
    event_id: record.event_id,
    status: record.status as DeliveryStatus,
    attempt_count: record.attempts,
    attempt: record.attempts,
    payload: JSON.parse(record.body) as WebhookDelivery['payload'],
    response_status: record.response_status,
    response_body: record.response_body,
    response_time_ms: record.response_time_ms,
    error_message: record.error,
    error: record.error,
    next_retry_at: record.next_attempt_at?.toISOString() ?? null,
    created_at: record.created_at.toISOString(),
    delivered_at: record.delivered_at?.toISOString() ?? null,
  };
}
