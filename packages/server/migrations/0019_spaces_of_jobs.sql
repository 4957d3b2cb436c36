-- The spaces of the key that caused a job, `default` among them for memories of none: the job
-- reaches no other. Null: every space.
alter table jobs add column spaces text[];

-- The spaces that a digest or a reaction tells of; null: every space. Of an answer its mail says.
alter table outbound_mails add column spaces text[];
