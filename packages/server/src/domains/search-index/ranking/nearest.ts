import type { AccountIndex } from '../account/account-index.ts';
import type { NearestQuery, SimilarDocument } from '../thread/protocol.ts';
import type { SearchBuffers } from './buffers.ts';
import { isNarrowScope } from './cosine.ts';
import { topDocuments } from './order.ts';

/**
 * Documents nearest to one by the plain cosine of their vectors, which depends on nothing else that
 * is stored; null when it is not in the index, or has none.
 */
export function findNearest(
  index: AccountIndex,
  scratch: SearchBuffers,
  { documentId, spaces, threshold, limit }: NearestQuery,
): SimilarDocument[] | null {
  const own = index.findNumber(documentId);
  if (own === undefined) return null;
  const inverse = index.columns.inverseNorm[own] as number;
  if (inverse === 0) return null;
  const scope = index.scope(spaces);
  scratch.ensureCapacity(index.columns.length, 0, 0);
  const vector = Float32Array.from(index.vectors.get(own), (value) => value * inverse);
  const { columns } = index;
  if (isNarrowScope(index, scope)) {
    for (const { documents } of scope.spaces) {
      index.vectors.dotProductsFor(vector, columns.inverseNorm, documents.view(), scratch.semantic);
    }
  } else index.vectors.dotProducts(vector, columns.inverseNorm, scratch.semantic);
  const near: number[] = [];
  for (let document = 0; document < columns.length; document += 1) {
    if (document === own || scope.visible[columns.space[document] as number] !== 1) continue;
    if (!index.isLive(document) || columns.inverseNorm[document] === 0) continue;
    if (clampCosine(scratch.semantic[document] as number) >= threshold) near.push(document);
  }
  const documents = Int32Array.from(near);
  const orders = Float64Array.from(near, (document) => scratch.semantic[document] as number);
  return [...topDocuments(index, { documents, sortValues: orders }, limit)].map((document) => ({
    id: index.ids[document] as string,
    similarity: clampCosine(scratch.semantic[document] as number),
  }));
}

const clampCosine = (cosine: number): number => Math.min(1, Math.max(0, cosine));
