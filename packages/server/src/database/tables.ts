import type { Job } from '@mneme/contract';
import type { ColumnType, Generated } from 'kysely';
import type { AccountTables } from './tables-accounts.ts';
import type { BulkChangeTables } from './tables-bulk-changes.ts';
import type { ClusterTables } from './tables-clusters.ts';
import type { EmailTables } from './tables-email.ts';
import type { InstanceTables } from './tables-instance.ts';
import type { MediaTables } from './tables-media.ts';
import type { OAuthTables } from './tables-oauth.ts';
import type { SearchTables } from './tables-search.ts';

/** JSON is written as text with a cast and read as a parsed value. */
type Json<T> = ColumnType<T, string, string>;

interface Accounts {
  id: string;
  name: string;
  plan: string;
  suspended: Generated<boolean>;
  resumed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  settings: ColumnType<Record<string, unknown>, string | undefined, string>;
  contact_email: ColumnType<string | null, string | null | undefined, string | null>;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface ApiKeys {
  account_id: string;
  id: string;
  name: string;
  key_id: string;
  secret_hash: Uint8Array;
  previous_hash: Uint8Array | null;
  previous_until: Date | null;
  scopes: string[];
  space_ids: string[] | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
}

interface AccountPositions {
  account_id: string;
  position: Generated<number>;
  index_position: Generated<number>;
  /** Before the newest write of documents. */
  former_index_position: ColumnType<number | null, number | null | undefined, number | null>;
  compaction_cursor: Generated<number>;
  model: ColumnType<string | null, string | null | undefined, string | null>;
}

interface Events {
  account_id: string;
  position: number;
  id: string;
  type: string;
  space_id: string | null;
  second_space: string | null;
  hidden_from: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  data: Json<Record<string, unknown>>;
  previous_data: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  changes: string[] | null;
  created_at: Date;
}

interface Jobs {
  id: string;
  account_id: string | null;
  kind: string;
  payload: Json<Record<string, unknown>>;
  /** Spaces of the API key that caused the job; null: every space. */
  spaces: Generated<string[] | null>;
  status: Generated<Job['status']>;
  progress: Generated<number>;
  attempts: Generated<number>;
  failures: Generated<number>;
  run_at: Date;
  lease_until: Date | null;
  dedupe_key: string | null;
  error: string | null;
  result: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  created_at: Date;
  finished_at: Date | null;
}

interface Idempotency {
  account_id: string;
  key: string;
  fingerprint: Uint8Array;
  status: number;
  headers: Json<Record<string, string>>;
  body: ColumnType<unknown, string | null, string | null>;
  created_at: Date;
}

interface Spaces {
  account_id: string;
  id: string;
  name: string;
  description: string | null;
  metadata: Json<Record<string, unknown>>;
  memory_lifetime_days: number | null;
  created_at: Date;
  updated_at: Date;
}

interface UpdateSuggestions {
  account_id: string;
  newer_id: string;
  older_id: string;
  confidence: number | null;
  reason: string | null;
  fact_id: string | null;
  fact_confidence: number | null;
  fact_reason: string | null;
  status: string;
  created_at: Date;
}

interface ListSnapshots {
  account_id: string;
  id: string;
  memory_ids: string[];
  used_at: Date;
}

interface Memories {
  account_id: string;
  id: string;
  space_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  session_id: string | null;
  session_ordinal: number | null;
  content: string;
  content_type: string;
  content_hash: Uint8Array | null;
  tags: string[];
  metadata: Json<Record<string, unknown>>;
  priority: number;
  salience: number | null;
  salience_at: Date | null;
  access_count: Generated<number>;
  is_pinned: boolean;
  protection_level: string;
  quality_score: number | null;
  revision: Generated<number>;
  occurred_at: Date | null;
  expires_at: Date | null;
  detect_updates: string | null;
  verified_at: Date | null;
  deleted_at: Date | null;
  erased_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface Feedback {
  account_id: string;
  id: string;
  memory_id: string;
  helpful: boolean;
  query: string | null;
  comment: string | null;
  created_at: Date;
}

interface CliSessions {
  account_id: string;
  id: string;
  created_by: string | null;
  name: string;
  type: string;
  status: string;
  description: string | null;
  tags: string[];
  space_id: string | null;
  origin_type: string | null;
  retention_policy: string;
  retention_days: number | null;
  is_private: boolean;
  summary: string | null;
  message_count: Generated<number>;
  memory_count: Generated<number>;
  next_ordinal: Generated<number>;
  metadata: Json<Record<string, unknown>>;
  created_at: Date;
  updated_at: Date;
  last_active_at: Date;
  paused_at: Date | null;
  completed_at: Date | null;
  archived_at: Date | null;
  erased_at: Date | null;
}

interface ActivationSessions {
  account_id: string;
  id: string;
  session_key: string;
  api_key_id: string | null;
  started_at: Date;
  last_activity_at: Date;
  closed_at: Date | null;
  co_access_processed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

interface CoAccesses {
  account_id: string;
  low: string;
  high: string;
  sessions: number;
}

interface ActivationAccesses {
  account_id: string;
  session_id: string;
  memory_id: string;
  ordinal: number;
  access_count: number;
  first_accessed_at: Date;
  last_accessed_at: Date;
}

interface Relationships {
  account_id: string;
  id: string;
  source_id: string;
  target_id: string;
  type: string;
  inverse_id: string | null;
  description: string | null;
  weight: number;
  weight_set_at: Date;
  decay_rate: number;
  pinned_memory_count: number;
  usage_count: number;
  last_reinforced_at: Date | null;
  rules: Json<Record<string, unknown>>;
  metadata: Json<Record<string, unknown>>;
  created_at: Date;
  updated_at: Date;
}

interface SearchPresets {
  account_id: string;
  name: string;
  result_limit: number;
  threshold: number;
  created_at: Date;
  updated_at: Date;
}

interface Enrichments {
  account_id: string;
  memory_id: string;
  operation: string;
  content_hash: Uint8Array;
  value: Json<unknown>;
  model: string;
  processed_at: Date;
}

interface UsageCounters {
  account_id: string;
  metric: string;
  period: string;
  used: number;
}

interface AuditLog {
  account_id: string;
  id: string;
  action: string;
  target_id: string;
  actor_account_id: string | null;
  actor_key_id: string | null;
  details: Json<Record<string, unknown>>;
  request_id: string;
  created_at: Date;
}

interface RateLimitWindows {
  key: string;
  points: number;
  expire: number | null;
}

interface ConcurrencySlots {
  key_id: string;
  slot: number;
  holder: string;
  until: Date;
}

interface Webhooks {
  account_id: string;
  id: string;
  name: string;
  url: string;
  events: string[];
  description: string | null;
  space_id: string | null;
  filters: Json<Record<string, unknown>>;
  spaces: string[] | null;
  secret: Uint8Array;
  secret_hint: string;
  previous_secret: Uint8Array | null;
  previous_secret_expires_at: Date | null;
  headers: Uint8Array;
  header_names: string[];
  max_retries: number;
  retry_delay_seconds: number;
  retry_schedule: string;
  payload_form: string;
  signature_form: string;
  is_active: boolean;
  disabled_reason: string | null;
  cursor: number;
  last_sequence_number: Generated<number>;
  total_deliveries: Generated<number>;
  successful_deliveries: Generated<number>;
  failed_deliveries: Generated<number>;
  failure_count: Generated<number>;
  last_triggered_at: Date | null;
  lease_until: Date | null;
  leased_by: string | null;
  revision: Generated<number>;
  created_at: Date;
  updated_at: Date;
}

interface WebhookDeliveries {
  account_id: string;
  webhook_id: string;
  number: number;
  id: string;
  event_id: string;
  event_type: string;
  event_created_at: Date;
  body: string;
  status: string;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  response_status: number | null;
  response_body: string | null;
  response_time_ms: number | null;
  error: string | null;
  created_at: Date;
  delivered_at: Date | null;
}

/**
 * Every table as Kysely types; migrations/ is authoritative. Only the owner's store uses a table.
 */
export interface Tables
  extends AccountTables,
    BulkChangeTables,
    ClusterTables,
    EmailTables,
    InstanceTables,
    MediaTables,
    OAuthTables,
    SearchTables {
  accounts: Accounts;
  api_keys: ApiKeys;
  account_positions: AccountPositions;
  events: Events;
  jobs: Jobs;
  idempotency: Idempotency;
  spaces: Spaces;
  memories: Memories;
  update_suggestions: UpdateSuggestions;
  list_snapshots: ListSnapshots;
  feedback: Feedback;
  cli_sessions: CliSessions;
  activation_sessions: ActivationSessions;
  activation_accesses: ActivationAccesses;
  co_accesses: CoAccesses;
  relationships: Relationships;
  search_presets: SearchPresets;
  enrichments: Enrichments;
  webhooks: Webhooks;
  webhook_deliveries: WebhookDeliveries;
  usage_counters: UsageCounters;
  audit_log: AuditLog;
  rate_limit_windows: RateLimitWindows;
  concurrency_slots: ConcurrencySlots;
}
