-- A memory that moves is told as gone to who sees its former space alone, and as new to who sees
-- its new space alone. Such an event is hidden from who may see this other space as well: it is
-- told of the move itself. As text, `default` for account level; null: hidden from nobody.
alter table events add column hidden_from text;
