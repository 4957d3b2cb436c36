-- A vector is written and removed in the statement that writes and removes its document. Checking
-- each one against it took a quarter of the time in which an account's stream is locked.
alter table vectors drop constraint vectors_account_id_document_id_fkey;
