-- Processes that others may forward searches to. Unlogged: each process renews its row every few
-- seconds, and adds it again after a crash of the database.
create unlogged table live_processes (
  id uuid primary key,
  -- Where other processes of the database reach it.
  url text not null,
  -- Only processes of the same release understand each other's searches.
  release text not null,
  started_at timestamptz not null,
  heartbeat_at timestamptz not null
);
