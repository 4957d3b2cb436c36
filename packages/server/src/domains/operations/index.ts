export { checkHealth, lifecycle } from './health.ts';
export { housekeep, housekeepingKind } from './housekeeping.ts';
export { operationHandlers } from './routes.ts';
