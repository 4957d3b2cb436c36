-- When a process that runs jobs last looked for them: one row. Unlogged: the process adds it again
-- after a crash of the database.
create unlogged table worker_heartbeats (
  is_only boolean primary key default true check (is_only),
  heartbeat_at timestamptz not null
);
