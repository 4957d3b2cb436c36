-- Vectors of the passages of a long text: one after the other, in the order of its document's
-- passages. Null: the text is one passage, or they have not been made yet.
alter table vectors add column passages bytea;
alter table vectors alter column passages set storage external;
-- Whether they are to be made.
alter table vectors add column lacks_passages boolean not null default false;

-- Terms have a line for the text and then one for each passage.
update vectors set lacks_passages = true from documents
where documents.account_id = vectors.account_id and documents.id = vectors.document_id
  and documents.kind = 'memory' and documents.terms like e'@%\n%\n%';

drop index vectors_provisional;
create index vectors_to_encode on vectors (account_id, position, document_id)
  where is_provisional or lacks_passages;
