-- Models that vectors are, were or will be of, and how to make each again; no secrets.
create table embedding_models (
  model text primary key,
  dimensions integer not null,
  -- Null: only its name tells.
  settings jsonb,
  created_at timestamptz not null
);
insert into embedding_models
select model, max(dimensions), null, now() from vectors group by model;

-- The model that the account is searched by: every document has a vector of it. Null: there has
-- been none yet. It changes under the row's lock, which every writer of documents holds.
alter table streams add column model text;
update streams set model = (
  select mode() within group (order by vectors.model) from vectors
  where vectors.account_id = streams.account_id
);
