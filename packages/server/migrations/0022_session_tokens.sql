-- Session tokens that were issued: a token is good while its row is there and not revoked.
create table session_tokens (
  account_id uuid not null,
  id uuid not null,
  -- The API key that it was made with.
  key_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys (account_id, id) on delete cascade
);
create index session_tokens_by_key on session_tokens (account_id, key_id);
create index session_tokens_by_expiry on session_tokens (expires_at);
