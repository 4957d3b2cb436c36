-- How an account's clusters are found. Who writes clusters or who is in them holds its row.
create table clustering (
  account_id uuid primary key references accounts (id) on delete cascade,
  algorithm text not null default 'hdbscan',
  min_cluster_size integer not null default 5,
  auto_enabled boolean not null default false,
  -- The last position of a document when it was last asked whether to run by itself.
  looked_to bigint not null default 0
);
create index clustering_auto on clustering (account_id) where auto_enabled;

create table clusters (
  account_id uuid not null,
  id uuid not null,
  -- Null: account-wide.
  space_id uuid,
  type text not null,
  name text not null,
  -- As names are compared: no two of a scope are the same.
  name_key text not null,
  -- By hand: a run that keeps the cluster keeps the name.
  is_named boolean not null,
  description text,
  color text,
  metadata jsonb not null,
  -- Who is in it: a run puts another set in its place at once.
  set_id uuid not null,
  -- While a run is putting it together; nobody sees it before the end.
  run_id uuid,
  -- Active memories.
  memory_count integer not null default 0,
  -- The sum of their unit vectors (8-byte floats), of one model. Null: to be computed anew.
  vector_sum bytea,
  vector_model text,
  silhouette_score double precision,
  dbcv_score double precision,
  cohesion_score double precision,
  computed_at timestamptz,
  topic_label text,
  -- Terms by weight.
  topic_terms jsonb,
  representatives uuid[],
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint clusters_space foreign key (account_id, space_id) references spaces (account_id, id)
);
create unique index clusters_name on clusters (
  account_id,
  coalesce(space_id, '00000000-0000-0000-0000-000000000000'::uuid),
  name_key
) where run_id is null;
create index clusters_set on clusters (account_id, set_id);

-- A set that is no cluster's any more is seen by nobody; a job removes it in small steps.
create table cluster_memories (
  account_id uuid not null,
  set_id uuid not null,
  memory_id uuid not null,
  confidence double precision not null,
  added_at timestamptz not null,
  -- Whether its vector is in the sum.
  is_summed boolean not null default false,
  primary key (account_id, set_id, memory_id),
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade
);
create index cluster_memories_memory on cluster_memories (account_id, memory_id);
create index cluster_memories_added on cluster_memories (account_id, set_id, added_at, memory_id);

-- The id is that of the job.
create table cluster_runs (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  algorithm text not null,
  min_cluster_size integer not null,
  space_id uuid,
  -- Null: all of the scope.
  memory_ids uuid[],
  status text not null,
  -- Counted up by whoever takes it up: who lost it writes no more.
  attempt integer not null default 0,
  memory_count integer not null,
  cluster_count integer not null default 0,
  noise_count integer not null default 0,
  sampled_count integer,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  primary key (account_id, id)
);
-- One at a time in each scope.
create unique index cluster_runs_active on cluster_runs (
  account_id,
  coalesce(space_id, '00000000-0000-0000-0000-000000000000'::uuid)
) where status in ('queued', 'running');
create index cluster_runs_newest on cluster_runs (account_id, created_at desc);
