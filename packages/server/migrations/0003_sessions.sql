-- Named work sessions with a lifecycle; memories name them by session_id.
create table cli_sessions (
  account_id uuid not null,
  id uuid not null,
  -- The key that began it; null: it is no more.
  created_by uuid,
  name text not null,
  type text not null,
  status text not null,
  description text,
  tags text[] not null,
  space_id uuid,
  origin_type text,
  retention_policy text not null,
  retention_days integer,
  is_private boolean not null,
  summary text,
  message_count integer not null default 0,
  memory_count integer not null default 0,
  -- The place of the next memory. Places of memories that left are not given again.
  next_ordinal integer not null default 1,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_active_at timestamptz not null,
  paused_at timestamptz,
  completed_at timestamptz,
  archived_at timestamptz,
  -- Out of every read; a job erases it with its memories.
  erased_at timestamptz,
  primary key (account_id, id),
  constraint cli_sessions_space foreign key (account_id, space_id) references spaces (account_id, id)
);
create index cli_sessions_newest on cli_sessions (account_id, created_at desc);
create index cli_sessions_active on cli_sessions (account_id, last_active_at desc)
  where status = 'active' and erased_at is null;
-- What the retention job looks for, over all accounts.
create index cli_sessions_retention on cli_sessions (retention_policy, last_active_at)
  where retention_policy <> 'permanent' and erased_at is null;

alter table memories add column session_ordinal integer;
create index memories_session on memories (account_id, session_id, session_ordinal)
  where session_id is not null;
