import type { FoundResult, SearchResult } from '@mneme/contract';

/** The memories among what a search found, in their order. */
export const memoriesIn = (results: readonly FoundResult[]): SearchResult[] =>
  results.filter((result) => result.type === 'memory');
