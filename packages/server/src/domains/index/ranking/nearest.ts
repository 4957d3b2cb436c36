import type { AccountIndex } from '../account/account-index.ts';
import type { NearestQuery, Neighbour } from '../thread/protocol.ts';
import { isNarrow } from './nearness.ts';
import { firstOf } from './order.ts';
import type { Scratch } from './scratch.ts';

/**
 * Documents nearest to one by the plain cosine of their vectors, which depends on nothing else that
 * is stored; null when it is not in the index, or has none.
 */
export function findNearest(
  index: AccountIndex,
  scratch: Scratch,
  { documentId, spaces, threshold, limit }: NearestQuery,
): Neighbour[] | null {
  const own = index.numberOf(documentId);
  if (own === undefined) return null;
  const inverse = index.columns.inverseNorm[own] as number;
  if (inverse === 0) return null;
  const scope = index.scope(spaces);
  scratch.fit(index.columns.length, 0, 0);
  const vector = Float32Array.from(index.vectors.at(own), (value) => value * inverse);
  const { columns } = index;
  if (isNarrow(index, scope)) {
    for (const { documents } of scope.spaces) {
      index.vectors.dotsOf(vector, columns.inverseNorm, documents.view(), scratch.semantic);
    }
  } else index.vectors.dots(vector, columns.inverseNorm, scratch.semantic);
  const near: number[] = [];
  for (let document = 0; document < columns.length; document += 1) {
    if (document === own || scope.sees[columns.space[document] as number] !== 1) continue;
    if (!index.isAlive(document) || columns.inverseNorm[document] === 0) continue;
    if (similarityOf(scratch.semantic[document] as number) >= threshold) near.push(document);
  }
  const documents = Int32Array.from(near);
  const orders = Float64Array.from(near, (document) => scratch.semantic[document] as number);
  return [...firstOf(index, { documents, orders }, limit)].map((document) => ({
    id: index.ids[document] as string,
    similarity: similarityOf(scratch.semantic[document] as number),
  }));
}

const similarityOf = (cosine: number): number => Math.min(1, Math.max(0, cosine));
