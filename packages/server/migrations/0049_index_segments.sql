-- Files with the index of an account as it was at a position. A file without a row is not used: after
-- a restore it may be of changes that the database does not have.
create table index_segments (
  account_id uuid not null,
  id uuid not null,
  model text not null,
  position bigint not null,
  created_at timestamptz not null,
  -- When a process last had the file.
  used_at timestamptz not null,
  primary key (account_id, id)
);

-- Whether something was erased after a position.
create index documents_deleted on documents (account_id, position) where deleted_at is not null;
