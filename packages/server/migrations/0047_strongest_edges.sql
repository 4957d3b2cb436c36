-- A neighbourhood reads the surest facts and mentions of an entity, however many it has.
create index facts_surest_of_subject on facts (account_id, subject_id, confidence desc, id)
  where object_id is not null;
create index facts_surest_of_object on facts (account_id, object_id, confidence desc, id)
  where object_id is not null;
create index mentions_surest on mentions
  (account_id, entity_id, confidence desc, observed_at desc, memory_id);
-- The changes of one memory: events that are about it.
create index events_memory on events
  (account_id, (coalesce(data ->> 'memory_id', data ->> 'id')), position);
