-- Whoever says "I" in memories of a user (`user:<user_id>`), or in those of nobody (`account`): found by
-- this key and never by a name, which other people may share.
alter table entities add column speaker text;
create unique index entities_speaker
  on entities (account_id, speaker, (coalesce(space_id, '00000000-0000-0000-0000-000000000000'::uuid)))
  where speaker is not null;
-- What was said before there were speakers is read by a job of each account, as in 0014; of the
-- memories only those are extracted again in which somebody speaks of themselves.
insert into jobs (id, account_id, kind, payload, run_at, created_at)
select gen_random_uuid(), account_id, 'knowledge.read_speakers',
  jsonb_build_object('after', null, 'last', max(id::text), 'rows', 0, 'expected', count(*)),
  max(created_at), max(created_at)
from memories where erased_at is null group by account_id;
