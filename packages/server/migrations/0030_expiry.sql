-- The instant from which a memory is no longer there; a job erases it soon after.
alter table memories add column expires_at timestamptz;
create index memories_expiring on memories (expires_at)
  where expires_at is not null and erased_at is null;

-- Days that a memory of the space lives if its create says nothing else; null: for ever.
alter table spaces add column memory_lifetime_days integer;

-- What a completed job reports, as the receipt of an erasure.
alter table jobs add column result jsonb;
