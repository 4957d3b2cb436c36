-- Whom a memory belongs to. Existing memories belong to nobody in particular.
alter table memories add column user_id text, add column agent_id text, add column run_id text;
alter table documents add column user_id text, add column agent_id text, add column run_id text;

create index memories_user on memories (account_id, user_id) where user_id is not null;
create index memories_agent on memories (account_id, agent_id) where agent_id is not null;
create index memories_run on memories (account_id, run_id) where run_id is not null;

-- Duplicates are those of one owner in one space.
drop index memories_content;
create unique index memories_content on memories (
  account_id,
  coalesce(space_id, '00000000-0000-0000-0000-000000000000'::uuid),
  content_hash,
  coalesce(user_id, ''), coalesce(agent_id, ''), coalesce(run_id, '')
) where deleted_at is null and erased_at is null;
