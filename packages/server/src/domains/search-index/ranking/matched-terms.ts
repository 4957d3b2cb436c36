import type { AccountIndex } from '../account/account-index.ts';
import type { KeywordMatches } from './keyword-matcher.ts';

/** Whether a number is in a sorted list. */
function includesSorted(sorted: Int32Array, wanted: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}

/** The terms of the query that the document itself contains. */
export function matchedTerms(
  index: AccountIndex,
  matches: KeywordMatches,
  document: number,
): string[] {
  const [from, to] = index.passagesOf(document);
  return matches.terms.flatMap(({ term, idf }) => {
    const posting = idf > 0 ? index.terms.find(term) : undefined;
    if (!posting) return [];
    for (let passage = from; passage < to; passage += 1) {
      if (includesSorted(posting.passages, passage)) return [term];
    }
    return [];
  });
}

/** Sum of idf of the query's terms that one passage contains. */
export function passageIdfSum(
  index: AccountIndex,
  { terms }: KeywordMatches,
  passage: number,
): number {
  let sum = 0;
  for (const { term, idf } of terms) {
    const posting = idf > 0 ? index.terms.find(term) : undefined;
    if (posting && includesSorted(posting.passages, passage)) sum += idf;
  }
  return sum;
}
