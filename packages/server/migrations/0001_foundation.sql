-- Accounts and keys are looked up before an account is known: small tables, kept whole on one node.
create table accounts (
  id uuid primary key,
  name text not null,
  plan text not null,
  suspended boolean not null default false,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table api_keys (
  account_id uuid not null references accounts (id) on delete cascade,
  id uuid not null,
  name text not null,
  key_id text not null unique,
  secret_hash bytea not null,
  previous_hash bytea,
  previous_until timestamptz,
  scopes text[] not null,
  space_ids text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id)
);

-- One row per account. Every transaction that writes events or index documents takes its
-- positions here, last thing before it commits: the row's lock makes their order that of commit.
create table streams (
  account_id uuid primary key references accounts (id) on delete cascade,
  position bigint not null default 0,
  -- The last position at which a document changed; most positions are events alone.
  indexed_to bigint not null default 0,
  -- Deletions up to here are no longer told to an index that is being caught up.
  compacted_to bigint not null default 0
);

-- The outbox.
create table events (
  account_id uuid not null,
  position bigint not null,
  id uuid not null,
  type text not null,
  space_id uuid,
  data json not null,
  previous_data json,
  changes text[],
  created_at timestamptz not null,
  primary key (account_id, position)
);
create index events_created on events (created_at);

-- What workers poll: local to one node, the account is data.
create table jobs (
  id uuid primary key,
  account_id uuid,
  kind text not null,
  payload jsonb not null,
  status text not null default 'queued',
  progress real not null default 0,
  attempts integer not null default 0,
  run_at timestamptz not null,
  lease_until timestamptz,
  -- A second job with the same key is not queued while the first is kept.
  dedupe_key text unique,
  error text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index jobs_due on jobs (run_at) where status in ('queued', 'running');

create table idempotency (
  account_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  headers json not null,
  body json,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_created on idempotency (created_at);

create table spaces (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint spaces_name unique (account_id, name)
);

-- The index: what can be found, by whatever domain it was stored.
create table documents (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  space_id uuid,
  session_id uuid,
  content_type text not null,
  tags text[] not null,
  priority smallint not null,
  salience real,
  salience_at timestamptz,
  pinned boolean not null,
  occurred_at timestamptz,
  created_at timestamptz not null,
  -- Out of every search, but complete: what was softly deleted comes back as it was.
  hidden boolean not null,
  -- The passages' terms as the analyser wrote them; null in a tombstone.
  terms text,
  buried_at timestamptz,
  position bigint not null,
  primary key (account_id, id)
);
create index documents_position on documents (account_id, position, id);
create index documents_buried on documents (buried_at) where buried_at is not null;
alter table documents alter column terms set storage main;

create table vectors (
  account_id uuid not null,
  document_id uuid not null,
  model text not null,
  dimensions smallint not null,
  -- One signed byte per dimension, scaled to a largest magnitude of 127; length is not kept.
  vector bytea not null,
  primary key (account_id, document_id, model),
  foreign key (account_id, document_id) references documents (account_id, id) on delete cascade
);
alter table vectors alter column vector set storage plain;

create table memories (
  account_id uuid not null,
  id uuid not null,
  space_id uuid,
  session_id uuid,
  content text not null,
  content_type text not null,
  -- SHA-256 of the content; null where the duplicate check does not apply.
  content_hash bytea,
  tags text[] not null,
  metadata jsonb not null,
  priority smallint not null,
  -- The value at salience_at; it decays from there when it is read.
  salience double precision,
  salience_at timestamptz,
  access_count integer not null default 0,
  is_pinned boolean not null,
  protection_level text not null,
  quality_score double precision,
  revision integer not null default 1,
  occurred_at timestamptz,
  verified_at timestamptz,
  deleted_at timestamptz,
  -- Out of every read; a job erases the row.
  erased_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint memories_space foreign key (account_id, space_id) references spaces (account_id, id)
  -- Room on the page for the salience that reads write, without touching the indexes.
) with (fillfactor = 90);
create unique index memories_content on memories (
  account_id,
  coalesce(space_id, '00000000-0000-0000-0000-000000000000'::uuid),
  content_hash
) where deleted_at is null and erased_at is null;
-- Without the id, which would let them pass for an index on it before there are statistics.
create index memories_newest on memories (account_id, created_at desc);
create index memories_space_newest on memories (account_id, space_id, created_at desc);

create table feedback (
  account_id uuid not null,
  id uuid not null,
  memory_id uuid not null,
  helpful boolean not null,
  query text,
  comment text,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade
);
create index feedback_memory on feedback (account_id, memory_id);
