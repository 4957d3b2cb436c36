-- Replies are found from the mails of an owner.
create index outbound_mails_replies on outbound_mails (account_id, mail_id)
  where mail_id is not null;

-- Events from before 0037 counted the memories of every user in outdated_by: those that have got a user
-- name no memory of another one.
update events set
  data = (
    select json_object_agg(key, case when key = 'outdated_by' then 'null' else value end)
    from json_each(data)
  ),
  previous_data = (
    select json_object_agg(key, case when key = 'outdated_by' then 'null' else value end)
    from json_each(previous_data)
  )
where user_id is not null
  and coalesce(data ->> 'outdated_by', previous_data ->> 'outdated_by') is not null
  and not exists (
    select from memories
    where memories.account_id = events.account_id and memories.user_id = events.user_id
      and memories.id::text = coalesce(data ->> 'outdated_by', previous_data ->> 'outdated_by')
  );
