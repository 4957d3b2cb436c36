import type { AccountIndex } from '../account/account-index.ts';
import type { CentredQuery } from '../account/passage-vectors.ts';
import type { SearchScope } from '../account/spaces.ts';

/** The scope is a small part of the account: iterating over the lists of its spaces is cheaper. */
export const isNarrowScope = (
  index: AccountIndex,
  { isWholeAccount, liveCount }: SearchScope,
): boolean => !isWholeAccount && liveCount * 4 <= index.liveCount;

/**
 * Cosines of the query and each document, both minus the scope's mean vector (Mu & Viswanath 2018,
 * "All-but-the-top"): (q − m)·(d − m) / (|q − m| |d − m|). 0 without a vector.
 */
export function computeCosines(
  index: AccountIndex,
  scope: SearchScope,
  vector: Float32Array | null,
  out: Float32Array,
): void {
  const { columns } = index;
  if (vector === null) {
    out.fill(0, 0, columns.length);
    return;
  }
  const { vector: centredQuery, length, meanDot: queryMeanDot } = centreQuery(scope, vector);
  const centred = index.centredLengths(scope);
  const normalise = (document: number): void => {
    const has = (columns.inverseNorm[document] as number) > 0;
    const below = length * (centred[document] as number);
    out[document] = has && below > 0 ? ((out[document] as number) - queryMeanDot) / below : 0;
  };
  if (isNarrowScope(index, scope)) {
    for (const { documents } of scope.spaces) {
      index.vectors.dotProductsFor(centredQuery, columns.inverseNorm, documents.view(), out);
      for (const document of documents.view()) normalise(document);
    }
    return;
  }
  index.vectors.dotProducts(centredQuery, columns.inverseNorm, out);
  for (let document = 0; document < columns.length; document += 1) normalise(document);
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
