-- What quotes erased memories loses their content within a minute.
alter table erasures
  -- When events, deliveries, answers and mails had lost the content; null: a job has yet to do it.
  add column content_removed_at timestamptz;
create index erasures_with_content on erasures (account_id, erased_at)
  where content_removed_at is null;
-- Null: the mail became a memory that was erased.
alter table mails alter column raw_blob drop not null;
alter table outbound_mails
  -- Memories that it quotes.
  add column memory_ids uuid[] not null default '{}';
-- Of what does not wait to leave, the text is not needed.
update outbound_mails set text = '', html = null where next_attempt_at is null;
