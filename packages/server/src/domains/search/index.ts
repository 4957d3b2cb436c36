export { findingByWords, groupingMemories } from './hooks.ts';
export { eraseSearchPresets } from './presets.ts';
export { searchHandlers } from './routes.ts';
