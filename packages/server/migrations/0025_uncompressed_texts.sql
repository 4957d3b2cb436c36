-- Compressing long values takes longer than writing them: on the embedded database two thirds of
-- the time of a bulk of large texts, while which no other account is served.
alter table memories alter column content set storage external;
alter table documents alter column terms set storage external;
alter table events alter column data set storage external;
alter table events alter column previous_data set storage external;
alter table idempotency alter column body set storage external;
alter table webhook_deliveries alter column body set storage external;
