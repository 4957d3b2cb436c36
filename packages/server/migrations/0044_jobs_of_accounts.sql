-- GET /jobs lists the jobs of one account, newest first.
create index jobs_account on jobs (account_id, id) where account_id is not null;
