-- Who writes an account's knowledge holds its row: extraction, merges and corrections take turns.
create table knowledge (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- The account's events up to this position have been read.
  read_to bigint not null default 0,
  -- While it is ahead, one process reads on.
  lease_until timestamptz,
  leased_by uuid
);
insert into knowledge (account_id, read_to) select account_id, position from streams;

create table entities (
  account_id uuid not null,
  id uuid not null,
  space_id uuid,
  name text not null,
  type text not null,
  -- By hand: stays when nothing speaks of it.
  is_kept boolean not null,
  merged_into uuid,
  merged_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index entities_by_name on entities (account_id, space_id, lower(name), id)
  where merged_into is null;
create index entities_merged on entities (account_id, merged_into) where merged_into is not null;

-- Every name that an entity is known by, its own included, as it is compared.
create table entity_names (
  account_id uuid not null,
  -- Zeros: account level, since no index finds a null.
  space uuid not null,
  type text not null,
  key text not null,
  -- The last word of the key, by which initials find the person.
  tail text not null,
  name text not null,
  entity_id uuid not null,
  -- By hand: stays when no memory calls the entity so.
  by_hand boolean not null default false,
  primary key (account_id, space, type, key),
  foreign key (account_id, entity_id) references entities (account_id, id) on delete cascade
);
create index entity_names_tail on entity_names (account_id, space, tail) where type = 'person';
create index entity_names_entity on entity_names (account_id, entity_id);

create table mentions (
  account_id uuid not null,
  memory_id uuid not null,
  entity_id uuid not null,
  confidence real not null,
  -- What the memory calls it.
  names text[] not null,
  -- When what the memory tells happened.
  observed_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (account_id, memory_id, entity_id),
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade,
  foreign key (account_id, entity_id) references entities (account_id, id) on delete cascade
);
create index mentions_entity on mentions (account_id, entity_id, observed_at);

-- The log: what was said, by which memory, and how long it was believed.
create table assertions (
  account_id uuid not null,
  id uuid not null,
  space_id uuid,
  subject_id uuid not null,
  predicate text not null,
  object_id uuid,
  object_value text,
  statement text not null,
  confidence real not null,
  valid_from timestamptz,
  valid_to timestamptz,
  observed_at timestamptz not null,
  -- Null: of nobody but the one who said it by hand.
  memory_id uuid,
  -- By hand: another content of its memory does not take it back.
  by_hand boolean not null,
  recorded_at timestamptz not null,
  retracted_at timestamptz,
  -- by `text`: the memory says it no longer; `hand`: it is not to be asserted again; `merge`.
  retracted_by text,
  primary key (account_id, id),
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade
);
create index assertions_group on assertions (account_id, subject_id, predicate);
create index assertions_object on assertions (account_id, object_id) where object_id is not null;
create index assertions_memory on assertions (account_id, memory_id) where memory_id is not null;

-- Derived from the log: the versions of facts, each with the time in which it was believed.
create table facts (
  account_id uuid not null,
  id uuid not null,
  space_id uuid,
  subject_id uuid not null,
  predicate text not null,
  object_id uuid,
  object_value text,
  statement text not null,
  confidence real not null,
  valid_from timestamptz,
  valid_to timestamptz,
  sources uuid[] not null,
  recorded_at timestamptz not null,
  invalidated_at timestamptz,
  primary key (account_id, id)
);
create index facts_subject on facts (account_id, subject_id, predicate);
create index facts_object on facts (account_id, object_id) where object_id is not null;

-- What else became of entities: renamed, merged.
create table entity_changes (
  account_id uuid not null,
  id uuid not null,
  entity_id uuid not null,
  kind text not null,
  detail text not null,
  at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, entity_id) references entities (account_id, id) on delete cascade
);
create index entity_changes_entity on entity_changes (account_id, entity_id, at);
