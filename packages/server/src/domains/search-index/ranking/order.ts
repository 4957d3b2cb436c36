import type { AccountIndex } from '../account/account-index.ts';
import type { Confidence } from './score.ts';

/** Documents with their sort values: all that passed the filter, unsorted. */
export interface RankingInput {
  readonly documents: Int32Array;
  /** Log-odds that the document answers the query. */
  readonly sortValues: Float64Array;
  /** Further matches without sort values: none of them is among the first `places`. */
  readonly rest: Int32Array;
  readonly places: number;
  /** Documents that were lowered because newer ones follow them. */
  readonly outdated: ReadonlySet<number>;
  /** By how much documents were moved because others supersede them. */
  readonly shifts: ReadonlyMap<number, number>;
  /** What the log-odds contain besides the evidence; null without documents. */
  readonly confidence: Confidence | null;
  /** Subtracted from documents that are no matches, so that they come after the matches. */
  readonly lowering: number;
}

/** Of an index without documents. */
export const emptyRanking: RankingInput = {
  documents: new Int32Array(0),
  sortValues: new Float64Array(0),
  rest: new Int32Array(0),
  places: Number.POSITIVE_INFINITY,
  outdated: new Set(),
  shifts: new Map(),
  confidence: null,
  lowering: 0,
};

/** The order of documents with equal sort values: newer, then by id. */
export function newerFirst(index: AccountIndex): (first: number, second: number) => number {
  const { createdAt } = index.columns;
  return (first, second) =>
    (createdAt[second] as number) - (createdAt[first] as number) ||
    -index.ids.compare(first, second);
}

/** Positions in the ranking of its top `limit` documents, best first; ties: newer, then by id. */
export function topPositions(
  index: AccountIndex,
  { documents, sortValues }: Pick<RankingInput, 'documents' | 'sortValues'>,
  limit: number,
): number[] {
  const least = documents.length > limit ? nthLargest(sortValues, limit) : Number.NEGATIVE_INFINITY;
  const positions: number[] = [];
  for (let i = 0; i < documents.length; i += 1) {
    if ((sortValues[i] as number) >= least) positions.push(i);
  }
  const compareEqual = newerFirst(index);
  positions.sort(
    (a, b) =>
      (sortValues[b] as number) - (sortValues[a] as number) ||
      compareEqual(documents[a] as number, documents[b] as number),
  );
  return positions.slice(0, limit);
}

/** As `topPositions`, but the documents at these positions. */
export const topDocuments = (
  index: AccountIndex,
  ranking: Pick<RankingInput, 'documents' | 'sortValues'>,
  limit: number,
): Int32Array =>
  Int32Array.from(
    topPositions(index, ranking, limit),
    (position) => ranking.documents[position] as number,
  );

/** Places of documents in a ranking, from 0; null for those that are not in it. */
export function placesOf(
  index: AccountIndex,
  ranking: Pick<RankingInput, 'documents' | 'sortValues'>,
  ids: readonly string[],
): (number | null)[] {
  const positions = topPositions(index, ranking, ranking.documents.length);
  const places = new Map(
    positions.map((position, i) => [index.ids.at(ranking.documents[position] as number), i]),
  );
  return ids.map((id) => places.get(id) ?? null);
}

/**
 * The n-th largest of at least n values, by a heap of the n largest so far: where n is small,
 * hardly any value is larger than the smallest of those.
 */
export function nthLargest(values: Float64Array, n: number): number {
  const heap = values.slice(0, n).sort();
  for (let i = n; i < values.length; i += 1) {
    const value = values[i] as number;
    if (value > (heap[0] as number)) replaceSmallest(heap, value);
  }
  return heap[0] as number;
}

/** @param heap no value is smaller than that at half its position */
function replaceSmallest(heap: Float64Array, value: number): void {
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    const next = child + 1;
    if (next < heap.length && (heap[next] as number) < (heap[child] as number)) child = next;
    if ((heap[child] as number) >= value) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = value;
}
