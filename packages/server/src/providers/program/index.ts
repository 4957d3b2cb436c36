export { findOnPath, isExecutable } from './find-program.ts';
export { buildLimitCommand, findLimitTools } from './resource-limits.ts';
export { createProgramRunner, ProgramFailed, type ProgramRunner, type RunLimits } from './run.ts';
