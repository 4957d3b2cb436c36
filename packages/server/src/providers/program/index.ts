export { findOnPath, isRunnable } from './find.ts';
export { findHolders, limitsBefore } from './held.ts';
export { createRun, type Run, RunFailed, type RunLimits } from './run.ts';
