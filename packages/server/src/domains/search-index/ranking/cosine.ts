import type { AccountIndex } from '../account/account-index.ts';
import { priorVectors, type SearchScope } from '../account/spaces.ts';
import type { CentredQuery } from '../account/vectors.ts';
import { type CosineMap, mapCosine } from '../scale/cosine-map.ts';

/** The scope is a small part of the account: iterating over the lists of its spaces is cheaper. */
export const isNarrowScope = (
  index: AccountIndex,
  { isWholeAccount, liveCount }: SearchScope,
): boolean => !isWholeAccount && liveCount * 4 <= index.liveCount;

/**
 * Lists of the documents to compute, where they are a small part of the account; null: computing
 * all documents is cheaper.
 * @param only these; null: all of the scope
 */
export function listsOf(
  index: AccountIndex,
  scope: SearchScope,
  only: Int32Array | null,
): readonly Int32Array[] | null {
  if (only !== null) return [only];
  return isNarrowScope(index, scope) ? scope.spaces.map(({ documents }) => documents.view()) : null;
}

/**
 * Begins to compute the cosines of the query and each document, both minus the scope's mean vector
 * (Mu & Viswanath 2018, "All-but-the-top"): (q − m)·(d − m) / (|q − m| |d − m|). 0 without a
 * vector. Of other models than those that the ranker is fitted for, on the scale of the shipped
 * encoder. What is returned completes `out`; until then, no vectors may be used.
 * @param only the documents to compute; null: all of the scope
 */
export function beginCosines(
  index: AccountIndex,
  scope: SearchScope,
  vector: Float32Array | null,
  out: Float32Array,
  only: Int32Array | null = null,
): () => void {
  const { columns, cosineMap } = index;
  if (vector === null) {
    out.fill(0, 0, columns.length);
    return () => undefined;
  }
  if (cosineMap) {
    // They depend on the similarities of all documents.
    computeScaledCosines(index, scope, vector, cosineMap, out);
    return () => undefined;
  }
  return beginOwnCosines(index, scope, centreQuery(scope, vector), out, only);
}

/** The same on the scale of the account's model, whichever it is. */
export function beginOwnCosines(
  index: AccountIndex,
  scope: SearchScope,
  query: CentredQuery,
  out: Float32Array,
  only: Int32Array | null = null,
): () => void {
  const { columns, vectors } = index;
  const lengths = { inverseNorms: columns.inverseNorm, centred: index.centredLengths(scope) };
  const lists = listsOf(index, scope, only);
  if (lists === null) return vectors.beginCosines(query, lengths, out);
  for (const list of lists) vectors.cosinesOf(query, lengths, list, out);
  return () => undefined;
}

/**
 * The same with k(a, b), a cosine on the scale of the shipped encoder, in place of a·b (Schölkopf,
 * Smola and Müller 1998, "Nonlinear component analysis as a kernel eigenvalue problem"): with
 * d·m = Σ k(d, j) / (n + prior), and |m|² likewise. The sum of the query is exact; those of
 * documents take k as a line, except for a document with itself, where it is 1.
 */
function computeScaledCosines(
  index: AccountIndex,
  scope: SearchScope,
  vector: Float32Array,
  map: CosineMap,
  out: Float32Array,
): void {
  const { columns } = index;
  const { slope, intercept } = index.cosineLine(scope);
  const weight = scope.liveCount + priorVectors;
  const square = dot(scope.meanVector, scope.meanVector);
  const centred = index.centredLengths(scope);
  const lists = listsOf(index, scope, null);
  computeDotProducts(index, lists, vector, out);
  let [count, sum] = [0, 0];
  forEachIn(lists, columns.length, (document) => {
    if ((columns.inverseNorm[document] as number) === 0) return;
    out[document] = mapCosine(map, out[document] as number);
    if (!index.isLive(document) || scope.visible[columns.space[document] as number] !== 1) return;
    count += 1;
    sum += out[document] as number;
  });
  const sumOf = (dots: number, pairs: number): number => intercept * pairs + slope * dots;
  const meanSquare =
    (sumOf(square * weight ** 2 - count, count * (count - 1)) + count) / weight ** 2;
  const queryMean = sum / weight;
  const length = Math.sqrt(Math.max(0, 1 - 2 * queryMean + meanSquare));
  forEachIn(lists, columns.length, (document) => {
    if ((columns.inverseNorm[document] as number) === 0) {
      out[document] = 0;
      return;
    }
    const dots = ((1 + square - (centred[document] as number) ** 2) / 2) * weight;
    const mean = (sumOf(dots - 1, count - 1) + 1) / weight;
    const below = length * Math.sqrt(Math.max(0, 1 - 2 * mean + meanSquare));
    const product = (out[document] as number) - queryMean - mean + meanSquare;
    out[document] = below > 0 ? Math.max(-1, Math.min(1, product / below)) : 0;
  });
}

/** With the documents of the lists, or all of the account. */
function computeDotProducts(
  { columns, vectors }: AccountIndex,
  lists: readonly Int32Array[] | null,
  vector: Float32Array,
  out: Float32Array,
): void {
  if (lists === null) vectors.dotProducts(vector, columns.inverseNorm, out);
  else for (const list of lists) vectors.dotProductsFor(vector, columns.inverseNorm, list, out);
}

/** Calls a function with each document of the lists; null: with all of the account. */
function forEachIn(
  lists: readonly Int32Array[] | null,
  documents: number,
  visit: (document: number) => void,
): void {
  if (lists === null) {
    for (let document = 0; document < documents; document += 1) visit(document);
    return;
  }
  for (const list of lists) for (const document of list) visit(document);
}

export function centreQuery({ meanVector }: SearchScope, vector: Float32Array): CentredQuery {
  const centred = vector.map((value, i) => value - (meanVector[i] as number));
  return {
    vector: centred,
    length: Math.sqrt(dot(centred, centred)),
    meanDot: dot(centred, meanVector),
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
