-- Named settings of search that an account made for itself.
create table search_presets (
  account_id uuid not null,
  name text not null,
  result_limit smallint not null,
  threshold double precision not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, name)
);
