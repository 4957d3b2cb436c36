-- On which scale a model's cosines lie, measured over the reference texts; null: not measured, or
-- the ranker was fitted with the model.
alter table embedding_models add column scale jsonb;
-- Increases with every measurement, so that each process notices a newer one.
alter table embedding_models add column scale_revision integer not null default 0;
