import type { AnySearchResult, SearchResult } from '@mneme/contract';

/** The memories among what a search found, in their order. */
export const memoryResults = (results: readonly AnySearchResult[]): SearchResult[] =>
  results.filter((result) => result.type === 'memory');
