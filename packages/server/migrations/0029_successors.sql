-- Ids of the memories that supersede a memory, so that the ranking of a search follows them.
alter table documents add column superseded_by uuid[] not null default '{}';

update documents set superseded_by = newer.ids
from (
  select account_id, older, array_agg(distinct id) as ids
  from (
    select account_id, target_id as older, source_id as id from relationships
    where type = 'supersedes'
    union all
    select account_id, source_id, target_id from relationships where type = 'superseded_by'
  ) as link
  group by account_id, older
) as newer
where documents.account_id = newer.account_id and documents.id = newer.older;
