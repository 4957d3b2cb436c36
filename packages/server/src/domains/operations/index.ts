export { lifecycle } from './health.ts';
export { housekeep, housekeepingKind, maintainDatabase, maintenanceKind } from './housekeeping.ts';
export { operationHandlers } from './routes.ts';
