export { groupingMemories } from './hooks.ts';
export { eraseSearchPresets } from './presets.ts';
export { searchHandlers } from './routes.ts';
