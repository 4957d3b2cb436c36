-- Sessions of people in a browser, who signed in with an API key. Shared by all pages of the service.
create table browser_sessions (
  account_id uuid not null,
  id uuid not null,
  -- The API key that the person signed in with, and what identifies its secret of then.
  key_id uuid not null,
  key_fingerprint text not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys (account_id, id) on delete cascade
);
create unique index browser_sessions_secret on browser_sessions (secret_hash);
create index browser_sessions_by_key on browser_sessions (account_id, key_id);
create index browser_sessions_by_expiry on browser_sessions (expires_at);

-- OAuth clients that registered themselves (RFC 7591). Others are identified by the URL of their metadata.
create table oauth_clients (
  id text primary key,
  name text,
  redirect_uris text[] not null,
  created_at timestamptz not null,
  -- When a person last allowed it something; null: never.
  last_used_at timestamptz
);
create index oauth_clients_unused on oauth_clients (created_at) where last_used_at is null;

-- What a person allowed an OAuth client: at most this, and never more than the key may.
create table oauth_grants (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  key_fingerprint text not null,
  client_id text not null,
  client_name text,
  -- The URL that its tokens are for.
  resource text not null,
  scopes text[] not null,
  space_ids text[],
  user_id text,
  -- The authorization code, which is exchanged once.
  code_hash bytea not null,
  code_challenge text not null,
  redirect_uri text not null,
  code_expires_at timestamptz not null,
  redeemed_at timestamptz,
  created_at timestamptz not null,
  -- When its last refresh token ends.
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys (account_id, id) on delete cascade
);
create unique index oauth_grants_code on oauth_grants (code_hash);
create index oauth_grants_by_key on oauth_grants (account_id, key_id);
create index oauth_grants_by_client on oauth_grants (client_id);
create index oauth_grants_by_expiry on oauth_grants (expires_at);

-- Access and refresh tokens of a grant. A refresh token that was exchanged remains, to detect its reuse.
create table oauth_tokens (
  account_id uuid not null,
  id uuid not null,
  grant_id uuid not null,
  kind text not null check (kind in ('access', 'refresh')),
  token_hash bytea not null,
  -- A client may ask for fewer than the grant has.
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, grant_id) references oauth_grants (account_id, id) on delete cascade
);
create unique index oauth_tokens_hash on oauth_tokens (token_hash);
create index oauth_tokens_by_grant on oauth_tokens (account_id, grant_id);
create index oauth_tokens_by_expiry on oauth_tokens (expires_at);
