-- Who may command by mail, and where mail that cannot be delivered comes back to.

-- memory: to the account's address. bounce: to the return path of a mail of ours. unsubscribe: to
-- the address that ends digests and reactions. The last two never become a memory or a command.
alter table mails add column purpose text not null default 'memory';
-- Of a bounce: the mail that came back.
alter table mails add column outbound_id uuid;
-- The relay that handed it in by HTTP has authenticated its author.
alter table mails add column is_declared boolean not null default false;
-- A rule allows its author, and the domain of the From field is proven; null: not checked.
alter table mails add column is_verified boolean;

-- A return path names the mail alone: an account's id beside it would not fit an address.
create index outbound_mails_id on outbound_mails (id);

-- What waits to leave no longer tells its recipient where the account takes mail.
update outbound_mails
set sender = 'no-reply@' || split_part(sender, '@', 2)
where status in ('queued', 'sending');
