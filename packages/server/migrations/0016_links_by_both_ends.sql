-- A walk asks which of some entities are linked with each other: told by the index alone.
drop index facts_object;
create index facts_object on facts (account_id, object_id, subject_id)
  where object_id is not null;
