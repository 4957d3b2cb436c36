export { lifecycle } from './health.ts';
export { housekeep, housekeepingKind, keepMaintained } from './housekeeping.ts';
export { operationHandlers } from './routes.ts';
export { verify, verifyKind } from './verify.ts';
