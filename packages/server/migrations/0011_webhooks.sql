-- Who is told of what happens, and what has been told.
create table webhooks (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  description text,
  space_id uuid,
  filters jsonb not null,
  -- Spaces that the key which made it may see (`default`: none); null: all. It is told no others.
  spaces text[],
  -- Sealed, since a database is copied more freely than a key: the secret, and header values.
  secret bytea not null,
  secret_hint text not null,
  former_secret bytea,
  former_secret_until timestamptz,
  headers bytea not null,
  header_names text[] not null,
  max_retries smallint not null,
  retry_delay_seconds smallint not null,
  retry_schedule text not null,
  payload_form text not null,
  signature_form text not null,
  is_active boolean not null,
  disabled_reason text,
  -- The account's events up to this position have their deliveries.
  told_to bigint not null,
  -- The number of its newest delivery.
  last_number bigint not null default 0,
  total_deliveries bigint not null default 0,
  successful_deliveries bigint not null default 0,
  failed_deliveries bigint not null default 0,
  failure_count integer not null default 0,
  last_triggered_at timestamptz,
  -- While it is ahead, one process sends the first attempts, one after the other.
  lease_until timestamptz,
  leased_by uuid,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create unique index webhooks_name on webhooks (account_id, name);
create index webhooks_by_age on webhooks (account_id, created_at, id);
create index webhooks_active on webhooks (account_id) where is_active;

create table webhook_deliveries (
  account_id uuid not null,
  webhook_id uuid not null,
  -- The order of first attempts.
  number bigint not null,
  id uuid not null,
  event_id uuid not null,
  event_type text not null,
  event_at timestamptz not null,
  -- As it is sent, each time the same bytes.
  body text not null,
  status text not null,
  attempts integer not null default 0,
  -- When the next attempt is due; null: there is none.
  next_attempt_at timestamptz,
  -- While an attempt is under way.
  lease_until timestamptz,
  response_status smallint,
  response_body text,
  response_time_ms integer,
  error text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (account_id, webhook_id, number)
);
create unique index webhook_deliveries_id on webhook_deliveries (account_id, webhook_id, id);
create index webhook_deliveries_pending on webhook_deliveries (account_id, webhook_id, number)
  where status = 'pending';
create index webhook_deliveries_retrying on webhook_deliveries (next_attempt_at)
  where status = 'retrying';
create index webhook_deliveries_age on webhook_deliveries (created_at);
