-- Since when what a memory states has ended, by what other memories of its owner state: of each
-- statement, and of a memory as soon as all of its statements have.
alter table assertions add column ended_at timestamptz;
alter table assertions add column ended_by uuid[];
alter table documents add column facts_ended_at timestamptz;
alter table documents add column facts_ended_by uuid[] not null default '{}';

-- What is stored already is compared by a job of each account.
insert into jobs (id, account_id, kind, payload, run_at, created_at)
select gen_random_uuid(), account_id, 'knowledge.mark_ended', jsonb_build_object('after', null),
  max(recorded_at), max(recorded_at)
from assertions where retracted_at is null group by account_id;
