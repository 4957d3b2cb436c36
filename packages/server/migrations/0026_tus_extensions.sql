-- Null until a client that deferred it sends the length.
alter table media_uploads alter column length drop not null;
-- `partial`, or the Upload-Concat header of a final upload as it was sent; null: an upload of its own.
alter table media_uploads add column concat text;
-- memory_id is a memory that had the same content before.
alter table media_uploads add column is_duplicate boolean not null default false;

-- An empty file becomes no memory, and neither does a part of another upload.
drop index media_uploads_unended;
create index media_uploads_unended on media_uploads (id)
  where memory_id is null and received = length and length > 0 and concat is distinct from 'partial';
