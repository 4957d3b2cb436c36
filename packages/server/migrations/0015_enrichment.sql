-- What was made of a memory's content: topics, summary, entities, quality.
create table enrichments (
  account_id uuid not null,
  memory_id uuid not null,
  operation text not null,
  -- Of the content that it was made of (SHA-256): another content asks for another one.
  content_hash bytea not null,
  value jsonb not null,
  -- Who made it: `local` or the name of a model.
  model text not null,
  processed_at timestamptz not null,
  primary key (account_id, memory_id, operation),
  foreign key (account_id, memory_id) references memories (account_id, id) on delete cascade
);
