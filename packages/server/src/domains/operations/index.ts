export { lifecycle } from './health.ts';
export { housekeep, housekeepingKind, keepMaintained } from './housekeeping.ts';
export { followConfiguredModel, reembed, reembedKind } from './reembed.ts';
export { operationHandlers } from './routes.ts';
export { eventStreams } from './stream.ts';
export { verify, verifyKind } from './verify.ts';
