export { keywordSearches, memoryGroupings } from './hooks.ts';
export { recall } from './recall.ts';
export { search } from './search.ts';
