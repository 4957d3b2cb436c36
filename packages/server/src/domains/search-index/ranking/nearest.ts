import type { AccountIndex } from '../account/account-index.ts';
import { mapCosine } from '../scale/cosine-map.ts';
import type { NearDocument, NearestQuery } from '../thread/protocol.ts';
import type { SearchBuffers } from './buffers.ts';
import { isNarrowScope } from './cosine.ts';
import { topDocuments } from './order.ts';

/**
 * The documents nearest to one document, or to a vector, by the plain cosine of their vectors,
 * independent of all other stored documents; on the scale of the shipped encoder if the query asks
 * for it. Null if it is not in the index or has no vector.
 */
export function findNearestDocuments(
  index: AccountIndex,
  buffers: SearchBuffers,
  { source, spaces, owner, threshold, scale, limit }: NearestQuery,
): NearDocument[] | null {
  const sourceNumber = 'documentId' in source ? (index.findNumber(source.documentId) ?? -1) : -1;
  const vector = 'vector' in source ? source.vector : vectorOf(index, sourceNumber);
  if (vector === null) return null;
  const scope = index.scope(spaces);
  buffers.ensureCapacity(index.columns.length, 0, 0);
  const { columns } = index;
  if (isNarrowScope(index, scope)) {
    for (const { documents } of scope.spaces) {
      index.vectors.dotProductsFor(vector, columns.inverseNorm, documents.view(), buffers.semantic);
    }
  } else index.vectors.dotProducts(vector, columns.inverseNorm, buffers.semantic);
  const owners = index.owners.matching(owner);
  const map = scale === 'encoder' ? index.cosineMap : null;
  const similarityTo = (document: number): number => {
    const cosine = buffers.semantic[document] as number;
    return clampCosine(map ? mapCosine(map, cosine) : cosine);
  };
  const cosines: number[] = [];
  for (let document = 0; document < columns.length; document += 1) {
    if (document === sourceNumber || scope.visible[columns.space[document] as number] !== 1)
      continue;
    if (!index.isLive(document) || columns.inverseNorm[document] === 0) continue;
    if (owners && !owners.has(columns.owner[document] as number)) continue;
    if (similarityTo(document) >= threshold) cosines.push(document);
  }
  const documents = Int32Array.from(cosines);
  const orders = Float64Array.from(cosines, (document) => buffers.semantic[document] as number);
  return [...topDocuments(index, { documents, sortValues: orders }, limit)].map((document) => ({
    id: index.ids[document] as string,
    similarity: similarityTo(document),
    position: columns.position[document] as number,
    isSuperseded: index.supersededBy[document] !== null,
  }));
}

/** The unit vector of a document; null without one. */
function vectorOf(index: AccountIndex, document: number): Float32Array | null {
  const inverse = document < 0 ? 0 : (index.columns.inverseNorm[document] as number);
  if (inverse === 0) return null;
  return Float32Array.from(index.vectors.get(document), (value) => value * inverse);
}

const clampCosine = (cosine: number): number => Math.min(1, Math.max(0, cosine));
