-- What the facts of the graph say about a pair, apart from what its texts do: the assertion of the
-- older memory that has ended. One of both is given.
alter table update_suggestions alter column confidence drop not null;
alter table update_suggestions alter column reason drop not null;
alter table update_suggestions add column fact_id uuid;
alter table update_suggestions add column fact_confidence real;
alter table update_suggestions add column fact_reason text;

-- Facts of protected memories do not count as ended.
update documents set facts_ended_at = null, facts_ended_by = '{}'
from memories
where memories.account_id = documents.account_id and memories.id = documents.id
  and memories.protection_level <> 'none' and documents.facts_ended_at is not null;

-- What is marked by the rule of migration 0036 is compared again.
insert into jobs (id, account_id, kind, payload, run_at, created_at)
select gen_random_uuid(), account_id, 'knowledge.mark_ended', jsonb_build_object('after', null),
  max(recorded_at), max(recorded_at)
from assertions where retracted_at is null group by account_id;
