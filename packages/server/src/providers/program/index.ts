export { findOnPath, isRunnable } from './find.ts';
export { createRun, type Run, RunFailed, type RunLimits } from './run.ts';
