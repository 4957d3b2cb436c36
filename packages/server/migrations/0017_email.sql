-- Mail that comes in, and mail that goes out.
create table email_addresses (
  account_id uuid not null,
  id uuid not null,
  local_part text not null,
  domain text not null,
  -- The present one of its account; at most one is.
  is_active boolean not null,
  -- Of a former one: until when mail to it still arrives.
  accepts_until timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id)
);
-- Looked up before an account is known, as keys are.
create unique index email_addresses_address on email_addresses (local_part, domain);
create unique index email_addresses_present on email_addresses (account_id) where is_active;

create table mails (
  account_id uuid not null,
  id uuid not null,
  -- The same for a mail that is handed in again: of its Message-ID, or of its bytes without one.
  message_key bytea not null,
  message_id text,
  -- Message-IDs that it answers, the nearest last.
  thread text[] not null,
  -- The From of its header, and the sender of its envelope (empty: a bounce).
  sender text not null,
  envelope_sender text not null,
  recipient text not null,
  client_ip text,
  client_helo text,
  subject text not null,
  body_plain text not null default '',
  status text not null,
  reason text,
  parsed_intent jsonb,
  authentication jsonb,
  -- Of what it stored; null: account level, or nothing.
  space_id uuid,
  response_memory_id uuid,
  -- Set once, with the one answer that a mail may cause.
  answered_at timestamptz,
  -- The name of its bytes in the blob store.
  raw_blob text not null,
  raw_bytes integer not null,
  created_at timestamptz not null,
  processed_at timestamptz,
  primary key (account_id, id)
);
create unique index mails_message on mails (account_id, message_key);
create index mails_raw on mails (raw_blob);
create index mails_by_age on mails (account_id, created_at, id);

create table email_sender_rules (
  account_id uuid not null,
  id uuid not null,
  pattern text not null,
  rule_type text not null,
  reason text,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index email_sender_rules_pattern on email_sender_rules (account_id, pattern);

create table email_attachments (
  account_id uuid not null,
  id uuid not null,
  mail_id uuid not null,
  -- Its place in the mail.
  number integer not null,
  filename text not null,
  content_type text not null,
  bytes integer not null,
  sha256 bytea not null,
  blob text not null,
  -- What its text became.
  memory_id uuid,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, mail_id) references mails (account_id, id) on delete cascade
);
create unique index email_attachments_place on email_attachments (account_id, mail_id, number);
create index email_attachments_blob on email_attachments (blob);

-- What a mail asked to be forgotten, until the code that was sent comes back.
create table email_confirmations (
  account_id uuid not null,
  id uuid not null,
  mail_id uuid not null,
  -- Who asked: nobody else may confirm.
  sender text not null,
  code_hash bytea not null,
  memory_ids uuid[] not null,
  attempts smallint not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, id)
);
create index email_confirmations_sender on email_confirmations (account_id, sender, expires_at);

-- Blobs that nothing names any more, until a job has removed them.
create table unused_blobs (
  name text primary key,
  created_at timestamptz not null
);

create table email_reactions (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  -- An event name with dots.
  trigger_type text not null,
  trigger_conditions jsonb not null,
  subject_template text not null,
  body_template text not null,
  recipients text[] not null,
  cooldown_minutes integer not null,
  max_per_day integer not null,
  is_active boolean not null,
  -- Spaces that the key which made it may see (`default`: none); null: all. It is told no others.
  spaces text[],
  -- The account's events up to this position have been looked at.
  told_to bigint not null,
  last_triggered_at timestamptz,
  -- How often since that midnight (UTC).
  day_began timestamptz,
  sent_that_day integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create unique index email_reactions_name on email_reactions (account_id, name);
create index email_reactions_active on email_reactions (account_id) where is_active;

create table email_digests (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  schedule_type text not null,
  timezone text not null,
  hour smallint not null,
  weekday smallint not null,
  day smallint not null,
  include_new_memories boolean not null,
  include_highlights boolean not null,
  max_items integer not null,
  tags text[] not null,
  recipients text[] not null,
  is_active boolean not null,
  spaces text[],
  -- When the next period is over; null: it is switched off.
  next_at timestamptz,
  -- The end of the last period that was sent: the next one begins there.
  covered_to timestamptz not null,
  last_sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create unique index email_digests_name on email_digests (account_id, name);
create index email_digests_due on email_digests (next_at) where next_at is not null;

-- Mail that is to leave, and what became of it.
create table outbound_mails (
  account_id uuid not null,
  id uuid not null,
  -- answer, reaction or digest.
  kind text not null,
  -- The mail that it answers.
  mail_id uuid,
  -- Once for a key: of a digest its period, of a reaction the event.
  dedupe_key text,
  sender text not null,
  recipient text not null,
  message_id text not null,
  subject text not null,
  text text not null,
  html text,
  headers jsonb not null,
  -- queued, sending, sent, failed or bounced.
  status text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  response text,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (account_id, id)
);
create unique index outbound_mails_once on outbound_mails (account_id, dedupe_key);
create unique index outbound_mails_message on outbound_mails (account_id, message_id);
create index outbound_mails_due on outbound_mails (next_attempt_at) where next_attempt_at is not null;
create index outbound_mails_age on outbound_mails (created_at);

-- Addresses that get no reactions and no digests.
create table email_suppressions (
  account_id uuid not null,
  email text not null,
  -- stop, unsubscribe or bounce.
  reason text not null,
  detail text,
  created_at timestamptz not null,
  primary key (account_id, email)
);
