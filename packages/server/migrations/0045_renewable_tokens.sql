-- Until when a session token can be renewed, under the same id; null: it cannot. A token of a
-- sign-in link is good for one renewal and nothing else.
alter table session_tokens add column renewable_until timestamptz;
alter table session_tokens add column single_use boolean not null default false;
