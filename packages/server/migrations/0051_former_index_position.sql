-- The index position before the newest write of documents: what moves the position returns both from
-- one simple statement, which a distributed database plans once.
alter table account_positions add column former_index_position bigint;
