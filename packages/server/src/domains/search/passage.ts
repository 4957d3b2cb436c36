import type { SearchResult } from '@mneme/contract';
import type { Hit } from '../search-index/index.ts';

/** Null if the range is that of the whole content, or of a former content. */
export function presentPassage(
  content: string,
  [start, end]: Hit['passage'],
): SearchResult['passage'] {
  const isPart = start < end && end <= content.length && end - start < content.length;
  return isPart ? { start, end, text: content.slice(start, end) } : null;
}
