export { findOnPath, isExecutable } from './find-program.ts';
export { buildLimitCommand, findResourceLimitTools } from './resource-limits.ts';
export { createProgramRunner, ProgramFailed, type ProgramRunner, type RunLimits } from './run.ts';
