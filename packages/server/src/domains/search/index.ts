export { keywordSearchRegistry, memoryGroupingRegistry } from './hooks.ts';
export { findNearMemories } from './near.ts';
export { recallMemories } from './recall.ts';
export { search } from './search.ts';
