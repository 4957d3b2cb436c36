export { findOnPath, isRunnable } from './find.ts';
export { createRun, limitsBefore, type Run, RunFailed, type RunLimits } from './run.ts';
