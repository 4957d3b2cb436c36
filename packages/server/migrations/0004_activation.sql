-- What was found together: begun by a search or recall with a session key.
create table activation_sessions (
  account_id uuid not null,
  id uuid not null,
  session_key text not null,
  api_key_id uuid,
  started_at timestamptz not null,
  last_activity_at timestamptz not null,
  closed_at timestamptz,
  primary key (account_id, id)
);
create unique index activation_sessions_open on activation_sessions (account_id, session_key)
  where closed_at is null;
create index activation_sessions_started on activation_sessions (account_id, started_at desc);
-- What the job that closes idle ones looks for, over all accounts.
create index activation_sessions_idle on activation_sessions (last_activity_at)
  where closed_at is null;

create table activation_accesses (
  account_id uuid not null,
  session_id uuid not null,
  memory_id uuid not null,
  -- The order of first access.
  ordinal integer not null,
  access_count integer not null,
  first_accessed_at timestamptz not null,
  last_accessed_at timestamptz not null,
  primary key (account_id, session_id, memory_id),
  foreign key (account_id, session_id) references activation_sessions (account_id, id)
    on delete cascade,
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade
);
create index activation_accesses_memory on activation_accesses (account_id, memory_id);
