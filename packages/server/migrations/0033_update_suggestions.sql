-- What the caller of a create told about updates; null: the account's setting.
alter table memories add column detect_updates text;

-- Older memories that newer ones may outdate.
create table update_suggestions (
  account_id uuid not null,
  newer_id uuid not null,
  older_id uuid not null,
  confidence real not null,
  reason text not null,
  status text not null,
  created_at timestamptz not null,
  primary key (account_id, newer_id, older_id),
  foreign key (account_id, newer_id) references memories (account_id, id) on delete cascade,
  foreign key (account_id, older_id) references memories (account_id, id) on delete cascade
);
create index update_suggestions_older on update_suggestions (account_id, older_id);

-- What open suggestions of some confidence say, for the ranking.
alter table documents add column likely_superseded_by uuid[] not null default '{}';
