export { findingByWords, groupingMemories } from './hooks.ts';
export { eraseSearchPresets } from './presets.ts';
export { recall } from './recall.ts';
export { searchHandlers } from './routes.ts';
export { search } from './search.ts';
