import type { AccountIndex } from '../account/account-index.ts';
import type { Scope } from '../account/spaces.ts';

/** The scope is a small part of the account: going by its own lists is less work. */
export const isNarrowScope = (index: AccountIndex, { isWholeAccount, liveCount }: Scope): boolean =>
  !isWholeAccount && liveCount * 4 <= index.liveCount;

/**
 * Cosines of the query and each document, both freed of the scope's mean vector (Mu & Viswanath
 * 2018, "All-but-the-top"): (q − m)·(d − m) / (|q − m| |d − m|). 0 where there is no vector.
 */
export function computeCosines(
  index: AccountIndex,
  scope: Scope,
  vector: Float32Array | null,
  out: Float32Array,
): void {
  const { columns } = index;
  if (vector === null) {
    out.fill(0, 0, columns.length);
    return;
  }
  const { meanVector } = scope;
  const asked = vector.map((value, i) => value - (meanVector[i] as number));
  const length = Math.sqrt(dot(asked, asked));
  const askedMean = dot(asked, meanVector);
  const centred = index.centredLengths(scope);
  const settle = (document: number): void => {
    const has = (columns.inverseNorm[document] as number) > 0;
    const below = length * (centred[document] as number);
    out[document] = has && below > 0 ? ((out[document] as number) - askedMean) / below : 0;
  };
  if (isNarrowScope(index, scope)) {
    for (const { documents } of scope.spaces) {
      index.vectors.dotProductsFor(asked, columns.inverseNorm, documents.view(), out);
      for (const document of documents.view()) settle(document);
    }
    return;
  }
  index.vectors.dotProducts(asked, columns.inverseNorm, out);
  for (let document = 0; document < columns.length; document += 1) settle(document);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
