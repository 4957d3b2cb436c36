-- When the closed session taught what belongs together; it does so once.
alter table activation_sessions add column learned_at timestamptz;

-- In how many closed sessions two memories were found together; low < high.
create table co_accesses (
  account_id uuid not null,
  low uuid not null,
  high uuid not null,
  sessions integer not null,
  primary key (account_id, low, high),
  foreign key (account_id, low) references memories (account_id, id) on delete cascade,
  foreign key (account_id, high) references memories (account_id, id) on delete cascade
);
create index co_accesses_high on co_accesses (account_id, high);
