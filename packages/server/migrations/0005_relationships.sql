-- Typed links between two memories of an account. A bidirectional pair is two rows.
create table relationships (
  account_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  target_id uuid not null,
  type text not null,
  -- The other half, where both were made as a pair; it may be gone by now.
  inverse_id uuid,
  description text,
  -- The weight at weight_set_at; it decays from there when it is read.
  weight double precision not null,
  weight_set_at timestamptz not null,
  decay_rate double precision not null,
  -- How many of its two memories are pinned: while one is, the weight does not decay.
  pinned_ends smallint not null,
  usage_count integer not null default 0,
  last_reinforced_at timestamptz,
  rules jsonb not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint relationships_triple unique (account_id, source_id, target_id, type),
  foreign key (account_id, source_id) references memories (account_id, id) on delete cascade,
  foreign key (account_id, target_id) references memories (account_id, id) on delete cascade
);
create index relationships_target on relationships (account_id, target_id);
-- What search asks for: which memories are superseded.
create index relationships_superseding on relationships (account_id)
  where type in ('supersedes', 'superseded_by');

-- An event about two spaces is told only to who may see both: the second as text, `default` for
-- account level. Null: the event is about space_id alone.
alter table events add column second_space text;
