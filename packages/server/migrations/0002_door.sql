alter table accounts add column settings jsonb not null default '{}';
-- Null until the account sets one.
alter table accounts add column contact_email text;

-- What an account has used: counts of what it holds (period `total`), of a UTC month (2026-01) or
-- day (2026-01-05). Counted in the transaction of the effect wherever something can be refused.
create table usage_counters (
  account_id uuid not null,
  metric text not null,
  period text not null,
  used bigint not null,
  primary key (account_id, metric, period)
);
insert into usage_counters
select account_id, 'memories', 'total', count(*) from memories
where erased_at is null group by account_id;
insert into usage_counters
select account_id, 'spaces', 'total', count(*) from spaces group by account_id;
insert into usage_counters
select account_id, 'api_keys', 'total', count(*) from api_keys
where revoked_at is null group by account_id;

-- Who changed what of accounts and keys.
create table audit_log (
  account_id uuid not null,
  id uuid not null,
  action text not null,
  target_id uuid not null,
  -- Null: the service itself.
  actor_account_id uuid,
  actor_key_id uuid,
  details json not null,
  request_id text not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create index audit_log_newest on audit_log (account_id, created_at desc);

-- What several processes share to hold limits for their sum. Not logged: no fsync, and a crash of
-- the database starts the running minute anew.
create unlogged table rate_windows (
  key varchar(255) primary key,
  points integer not null,
  -- Milliseconds since 1970.
  expire bigint
);
create index rate_windows_expire on rate_windows (expire);
create unlogged table request_slots (
  key_id uuid not null,
  slot smallint not null,
  holder uuid not null,
  -- A process that died gives its slots back by not renewing them.
  until timestamptz not null,
  primary key (key_id, slot)
);

-- What is true of the whole installation.
create table installation (
  name text primary key,
  value text not null
);
