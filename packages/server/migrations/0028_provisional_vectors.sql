-- Vectors that are approximated from the words of a text, until the sentence encoder replaces them.
alter table vectors add column is_provisional boolean not null default false;
-- The index position of the last change of the vector alone, or of its insert if it is provisional.
alter table vectors add column position bigint;

create index vectors_provisional on vectors (account_id, position, document_id)
  where is_provisional;
create index vectors_replaced on vectors (account_id, position, document_id)
  where position is not null and not is_provisional;

-- The right to encode the texts of an account.
create table encoding_leases (
  account_id uuid primary key,
  lease_until timestamptz,
  leased_by uuid
);
