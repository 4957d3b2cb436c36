-- How often a job has failed; attempts count every lease, those after a break included.
alter table jobs add column failures integer not null default 0;
