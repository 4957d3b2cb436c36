-- Whom mail belongs to, and whom the mail of a verified sender belongs to.
alter table inbound_mails add column user_id text, add column agent_id text, add column run_id text;
alter table email_sender_rules
  add column user_id text, add column agent_id text, add column run_id text;

create index inbound_mails_user on inbound_mails (account_id, user_id, created_at, id)
  where user_id is not null;
create index inbound_mails_agent on inbound_mails (account_id, agent_id, created_at, id)
  where agent_id is not null;
create index inbound_mails_run on inbound_mails (account_id, run_id, created_at, id)
  where run_id is not null;

-- Whose memories an event is about, as far as it is only one owner's.
alter table events add column user_id text, add column agent_id text, add column run_id text;

create index events_user on events (account_id, user_id, position) where user_id is not null;
create index events_agent on events (account_id, agent_id, position) where agent_id is not null;
create index events_run on events (account_id, run_id, position) where run_id is not null;

-- Events with a memory as data. Others of the last 30 days have no owner.
update events set
  user_id = data ->> 'user_id', agent_id = data ->> 'agent_id', run_id = data ->> 'run_id'
where type like 'memory.%' or type like 'audio.%';
