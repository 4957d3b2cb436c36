-- Searches look up a name that a question mentions in all spaces of an account, also as a first name.
create index entity_names_key on entity_names (account_id, (key collate "C"));
