-- What ranking asks of a turn in a conversation: its place, who said it, and as what.
alter table documents
  add column session_ordinal integer,
  add column speaker text,
  add column role text;

update documents set
  session_ordinal = memories.session_ordinal,
  speaker = nullif(left(btrim(memories.metadata ->> 'speaker'), 100), ''),
  role = nullif(left(btrim(memories.metadata ->> 'role'), 20), '')
from memories
where memories.account_id = documents.account_id and memories.id = documents.id;
