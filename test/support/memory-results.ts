import type { AnySearchResult, SearchResult } from '@mneme/contract';

/** The memories among search results, in the same order. */
export const onlyMemoryResults = (results: readonly AnySearchResult[]): SearchResult[] =>
  results.filter((result) => result.type === 'memory');
