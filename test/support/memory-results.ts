import type { AnySearchResult, SearchResult } from '@mneme/contract';

/** The memories among search results, in the same order. */
export const onlyMemoryResults = (results: readonly AnySearchResult[]): SearchResult[] =>
  results.filter((result) => result.type === 'memory');

/** The response to a search without results. */
export const emptySearch = {
  results: [],
  data: [],
  facets: { memories: 0, audio_segments: 0 },
  pagination: { total: 0, limit: 20, offset: 0, has_more: false, next_cursor: null },
};
