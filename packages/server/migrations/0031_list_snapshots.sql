-- The order of a list by salience, which reads change: later pages follow the first one.
create table list_snapshots (
  account_id uuid not null,
  id uuid not null,
  memory_ids uuid[] not null,
  used_at timestamptz not null,
  primary key (account_id, id)
);
create index list_snapshots_used on list_snapshots (used_at);
