import type { AccountIndex } from '../account/account-index.ts';

/** Documents with what orders them; as many as passed, in no order yet. */
export interface Ranking {
  readonly documents: Int32Array;
  readonly sortValues: Float64Array;
}

/** The first `most` places, best first; ties by newer first, then by id. */
export function topDocuments(index: AccountIndex, ranking: Ranking, most: number): Int32Array {
  const { documents, sortValues } = ranking;
  const least = documents.length > most ? nthLargest(sortValues, most) : Number.NEGATIVE_INFINITY;
  const places: number[] = [];
  for (let i = 0; i < documents.length; i += 1) {
    if ((sortValues[i] as number) >= least) places.push(i);
  }
  const { createdAt } = index.columns;
  places.sort((a, b) => {
    const [first, second] = [documents[a] as number, documents[b] as number];
    return (
      (sortValues[b] as number) - (sortValues[a] as number) ||
      (createdAt[second] as number) - (createdAt[first] as number) ||
      ((index.ids[first] as string) < (index.ids[second] as string) ? 1 : -1)
    );
  });
  return Int32Array.from(places.slice(0, most), (place) => documents[place] as number);
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

/** So many places from the top show scores that are lifted to the best below them. */
export const headLength = 200;

/**
 * Scores that never rise down the list: in the head each takes the largest of those below it,
 * after the head none is larger than the one before.
 */
export function makeNonIncreasing(scores: readonly number[]): number[] {
  const level = [...scores];
  for (let i = Math.min(headLength, level.length) - 2; i >= 0; i -= 1) {
    level[i] = Math.max(level[i] as number, level[i + 1] as number);
  }
  for (let i = headLength; i < level.length; i += 1) {
    level[i] = Math.min(level[i] as number, level[i - 1] as number);
  }
  return level;
}
