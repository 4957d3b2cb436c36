-- The user whom a session token is limited to. Existing tokens have all rights of their key.
alter table session_tokens add column user_id text;
