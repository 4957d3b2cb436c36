-- A page of a list reads its own rows, however many the account has.
create index memories_updated on memories (account_id, updated_at);
create index memories_occurred on memories (account_id, (coalesce(occurred_at, created_at)));
-- With the id, since there are 11 priorities only. As its bytes: an index that has the column itself
-- would pass for one on the id before there are statistics.
create index memories_priority on memories (account_id, priority, (uuid_send(id)));

-- Documents that something outdates, now or later: few, and in the usual order of a list.
create index documents_outdated on documents (account_id, created_at)
  where superseded_by <> '{}' or facts_ended_at is not null;
