-- When the last suspension of the account ended: what was more than a day old then is not sent.
alter table accounts add column resumed_at timestamptz;
