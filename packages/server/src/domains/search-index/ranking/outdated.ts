import { turnFlag } from '../account/columns.ts';
import { mapCosine } from '../scale/cosine-map.ts';
import { type QueryContext, weightsFor } from './features.ts';
import { type RankingInput, topPositions } from './order.ts';

/** Among so many of the best results, those that state the same thing are compared. */
export const outdatedHeadLength = 16;
/** From this cosine on, two memories are about the same thing. */
const similarityMin = 0.52;
/** From this cosine on, they say the same: duplicates, of which none is outdated. */
const duplicateMin = 0.93;
/** Weighted sums that differ by more are no candidates for the same answer. */
const distanceMax = 1.2;
/** Subtracted from the weighted sum of the outdated one. */
const outdatedPenalty = 1.2;

/** The penalty in log-odds. */
export const penaltyOf = (context: QueryContext, document: number): number =>
  outdatedPenalty * weightsFor(context, document).scale;

/**
 * Lowers memories later than the moment that is asked for, and memories near the top that a newer
 * memory about the same thing follows; a question about the past lowers the newer one instead.
 * Changes the sort values. Returns the documents lowered.
 */
export function lowerOutdated(
  context: QueryContext,
  ranking: Pick<RankingInput, 'documents' | 'sortValues'>,
): Set<number> {
  const lowered = lowerLater(context, ranking);
  for (const document of lowerFollowed(context, ranking)) lowered.add(document);
  return lowered;
}

function lowerLater(
  context: QueryContext,
  { documents, sortValues }: Pick<RankingInput, 'documents' | 'sortValues'>,
): Set<number> {
  const { index, query } = context;
  const lowered = new Set<number>();
  if (query.asOf === undefined) return lowered;
  for (const [position, document] of documents.entries()) {
    if ((index.columns.occurredAt[document] as number) <= query.asOf) continue;
    sortValues[position] = (sortValues[position] as number) - penaltyOf(context, document);
    lowered.add(document);
  }
  return lowered;
}

function lowerFollowed(
  context: QueryContext,
  ranking: Pick<RankingInput, 'documents' | 'sortValues'>,
): Set<number> {
  const { index, query } = context;
  const { columns, vectors } = index;
  const { documents, sortValues } = ranking;
  const lowered = new Set<number>();
  if (query.vector === null || query.ranker !== 'sentence') return lowered;
  const { asOf = Number.POSITIVE_INFINITY } = query;
  const prefersOlder = query.asOf === undefined && query.intent.isAboutPast;
  const head = topPositions(index, ranking, outdatedHeadLength).filter((position) => {
    const document = documents[position] as number;
    const isTurn = ((columns.flags[document] as number) & turnFlag) !== 0;
    const isLater = (columns.occurredAt[document] as number) > asOf;
    return !isTurn && !isLater && (columns.inverseNorm[document] as number) > 0;
  });
  // Copies: the view of a vector is valid only until the next one is read.
  const rows = head.map((position) => vectors.get(documents[position] as number).slice());
  const before = head.map((position) => sortValues[position] as number);
  const map = index.cosineMap;
  for (const [i, first] of head.entries()) {
    for (const [j, second] of head.entries()) {
      const [a, b] = [documents[first] as number, documents[second] as number];
      const isOlder = (columns.occurredAt[a] as number) < (columns.occurredAt[b] as number);
      const isNewer = (columns.occurredAt[a] as number) > (columns.occurredAt[b] as number);
      if (prefersOlder ? !isNewer : !isOlder) continue;
      const distance = (before[i] as number) - (before[j] as number);
      if (distance > distanceMax * weightsFor(context, a).scale) continue;
      const norms = (columns.inverseNorm[a] as number) * (columns.inverseNorm[b] as number);
      const cosine = dot(rows[i] as Int8Array, rows[j] as Int8Array) * norms;
      const similarity = map ? mapCosine(map, cosine) : cosine;
      if (similarity < similarityMin || similarity >= duplicateMin) continue;
      lowered.add(a);
      break;
    }
  }
  for (const position of head) {
    const document = documents[position] as number;
    if (!lowered.has(document)) continue;
    sortValues[position] = (sortValues[position] as number) - penaltyOf(context, document);
  }
  return lowered;
}

function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
