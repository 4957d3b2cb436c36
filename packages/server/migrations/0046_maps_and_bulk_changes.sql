-- The map of a scope: the places of its memories in two dimensions, made by a full run.
create table cluster_maps (
  account_id uuid not null,
  id uuid not null,
  -- Null: account-wide.
  space_id uuid,
  -- The run that makes it.
  run_id uuid not null,
  -- False until the run completes.
  is_current boolean not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index cluster_maps_scope on cluster_maps (
  account_id,
  coalesce(space_id, '00000000-0000-0000-0000-000000000000'::uuid)
) where is_current;

-- Rows of a map that does not exist any more are not read; a job deletes them in small steps.
create table cluster_map_points (
  account_id uuid not null,
  memory_id uuid not null,
  map_id uuid not null,
  -- Null: the memory has no vector.
  x real,
  y real,
  primary key (account_id, memory_id, map_id),
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade
);

-- A change of all memories that match a filter. The id is that of the job.
create table bulk_changes (
  account_id uuid not null,
  id uuid not null,
  action jsonb not null,
  -- Of the key that requested it (`default`: account level); null: all.
  spaces text[],
  -- The user that its token is limited to; null: none.
  user_id text,
  -- queued, running, completed, undoing, undone or failed.
  status text not null,
  matched_count integer not null,
  changed_count integer not null default 0,
  skipped_count integer not null default 0,
  restored_count integer not null default 0,
  left_count integer not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  undone_at timestamptz,
  primary key (account_id, id)
);
create index bulk_changes_created on bulk_changes (created_at);

-- What the change has changed of each memory: the fields before and after.
create table bulk_change_items (
  account_id uuid not null,
  change_id uuid not null,
  memory_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  primary key (account_id, change_id, memory_id),
  foreign key (account_id, change_id) references bulk_changes (account_id, id) on delete cascade,
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade
);
create index bulk_change_items_memory on bulk_change_items (account_id, memory_id);
