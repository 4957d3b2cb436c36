-- What was erased for good: ids and times, no content. After a restore the service erases again what
-- the older state still has. It is of the whole installation, and outlives the accounts.
create table erasures (
  -- What was erased: memory, account, …
  kind text not null,
  id uuid not null,
  account_id uuid not null,
  erased_at timestamptz not null,
  primary key (kind, id)
);
create index erasures_by_time on erasures (erased_at, kind, id);
create index erasures_of_account on erasures (account_id, erased_at, kind, id);
