export { keywordSearchRegistry, memoryGroupingRegistry } from './hooks.ts';
export { recallMemories } from './recall.ts';
export { search } from './search.ts';
