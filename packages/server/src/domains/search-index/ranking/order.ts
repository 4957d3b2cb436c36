import type { AccountIndex } from '../account/account-index.ts';

/** Documents with their sort values: all that passed the filter, unsorted. */
export interface RankingInput {
  readonly documents: Int32Array;
  readonly sortValues: Float64Array;
}

/** The top `limit` documents, best first; ties by newer first, then by id. */
export function topDocuments(
  index: AccountIndex,
  ranking: RankingInput,
  limit: number,
): Int32Array {
  const { documents, sortValues } = ranking;
  const least = documents.length > limit ? nthLargest(sortValues, limit) : Number.NEGATIVE_INFINITY;
  const indices: number[] = [];
  for (let i = 0; i < documents.length; i += 1) {
    if ((sortValues[i] as number) >= least) indices.push(i);
  }
  const { createdAt } = index.columns;
  indices.sort((a, b) => {
    const [first, second] = [documents[a] as number, documents[b] as number];
    return (
      (sortValues[b] as number) - (sortValues[a] as number) ||
      (createdAt[second] as number) - (createdAt[first] as number) ||
      ((index.ids[first] as string) < (index.ids[second] as string) ? 1 : -1)
    );
  });
  return Int32Array.from(indices.slice(0, limit), (position) => documents[position] as number);
}

/** The n-th largest value, by Hoare's quickselect on a copy. */
function nthLargest(values: Float64Array, n: number): number {
  const copy = values.slice();
  let [low, high] = [0, copy.length - 1];
  while (low < high) {
    const pivot = copy[(low + high) >>> 1] as number;
    let [i, j] = [low, high];
    while (i <= j) {
      while ((copy[i] as number) > pivot) i += 1;
      while ((copy[j] as number) < pivot) j -= 1;
      if (i > j) break;
      [copy[i], copy[j]] = [copy[j] as number, copy[i] as number];
      i += 1;
      j -= 1;
    }
    if (n - 1 <= j) high = j;
    else if (n - 1 >= i) low = i;
    else break;
  }
  return copy[n - 1] as number;
}

/** Number of top results whose shown scores are raised to the best score below them. */
export const shownScoreHeadLength = 200;

/**
 * Makes scores non-increasing: in the head each becomes the maximum of itself and those below it;
 * after the head none exceeds the one before.
 */
export function makeScoresNonIncreasing(scores: readonly number[]): number[] {
  const result = [...scores];
  for (let i = Math.min(shownScoreHeadLength, result.length) - 2; i >= 0; i -= 1) {
    result[i] = Math.max(result[i] as number, result[i + 1] as number);
  }
  for (let i = shownScoreHeadLength; i < result.length; i += 1) {
    result[i] = Math.min(result[i] as number, result[i - 1] as number);
  }
  return result;
}
