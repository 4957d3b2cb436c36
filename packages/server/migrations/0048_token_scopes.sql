-- The scopes of its key that a session token is limited to; null: all of them.
alter table session_tokens add column scopes text[];
