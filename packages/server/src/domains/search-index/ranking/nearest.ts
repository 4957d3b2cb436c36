import type { AccountIndex } from '../account/account-index.ts';
import { mapCosine } from '../scale/cosine-map.ts';
import type { NearDocument, NearestQuery } from '../thread/protocol.ts';
import type { SearchBuffers } from './buffers.ts';
import { isNarrowScope } from './cosine.ts';
import { nthLargest, topDocuments } from './order.ts';

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
  const isInScope = (document: number): boolean =>
    document !== sourceNumber &&
    scope.visible[columns.space[document] as number] === 1 &&
    index.isLive(document) &&
    columns.inverseNorm[document] !== 0 &&
    (!owners || owners.has(columns.owner[document] as number));
  const documents = largestOf(buffers.semantic, columns.length, limit, {
    isNear: (document) => similarityTo(document) >= threshold,
    isInScope,
  });
  const orders = Float64Array.from(documents, (document) => buffers.semantic[document] as number);
  return [...topDocuments(index, { documents, sortValues: orders }, limit)].map((document) => ({
    id: index.ids.at(document),
    similarity: similarityTo(document),
    position: columns.position[document] as number,
    isSuperseded: index.successors.supersededBy.has(document),
  }));
}

/** Candidates are collected up to so many times the limit before the smaller ones are dropped. */
const collectedFactor = 8;

interface NearestConditions {
  /** If it is false for a value, then also for all smaller ones. */
  isNear(document: number): boolean;
  isInScope(document: number): boolean;
}

/**
 * Documents below `count` that meet the conditions, those with the largest values: at least
 * `limit`, if there are so many, and all that are equal to the last.
 */
function largestOf(
  values: Float32Array,
  count: number,
  limit: number,
  { isNear, isInScope }: NearestConditions,
): Int32Array {
  let least = Number.NEGATIVE_INFINITY;
  let farthest = Number.NEGATIVE_INFINITY;
  let collected: number[] = [];
  let collectedMax = collectedFactor * limit;
  for (let document = 0; document < count; document += 1) {
    const value = values[document] as number;
    if (value < least || value <= farthest) continue;
    if (!isNear(document)) farthest = value;
    else if (isInScope(document)) collected.push(document);
    if (collected.length < collectedMax) continue;
    const bound = nthLargest(
      Float64Array.from(collected, (one) => values[one] as number),
      limit,
    );
    collected = collected.filter((one) => (values[one] as number) >= bound);
    collectedMax = Math.max(collectedMax, 2 * collected.length);
    least = bound;
  }
  return Int32Array.from(collected);
}

/** The unit vector of a document; null without one. */
function vectorOf(index: AccountIndex, document: number): Float32Array | null {
  const inverse = document < 0 ? 0 : (index.columns.inverseNorm[document] as number);
  if (inverse === 0) return null;
  return Float32Array.from(index.vectors.get(document), (value) => value * inverse);
}

const clampCosine = (cosine: number): number => Math.min(1, Math.max(0, cosine));
