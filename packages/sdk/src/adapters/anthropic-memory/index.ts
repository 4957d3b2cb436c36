export type { MemoryScope } from '../scope.ts';
export { MnemeMemoryTool, type MnemeMemoryToolOptions } from './memory-tool.ts';
