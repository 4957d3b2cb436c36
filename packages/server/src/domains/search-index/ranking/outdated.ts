import { turnFlag } from '../account/columns.ts';
import type { QueryContext } from './features.ts';
import { type RankingInput, topPositions } from './order.ts';

/** Among so many of the best results, those that state the same thing are compared. */
const headLength = 16;
/** From this cosine on, two memories are about the same thing. */
const similarityMin = 0.45;
/** Results whose log-odds differ by more are no candidates for the same answer. */
const distanceMax = 1.4;
/** Subtracted from the log-odds of the outdated one. */
export const outdatedPenalty = 1.4;

/**
 * Lowers memories near the top that a newer memory about the same thing follows; a question about
 * the past lowers the newer one instead. Changes the sort values. Returns the documents lowered.
 */
export function lowerOutdated(
  context: QueryContext,
  ranking: Omit<RankingInput, 'outdated'>,
): Set<number> {
  const { index, query } = context;
  const { columns, vectors } = index;
  const { documents, sortValues } = ranking;
  const lowered = new Set<number>();
  if (query.vector === null || query.ranker !== 'sentence') return lowered;
  const head = topPositions(index, ranking, headLength).filter((position) => {
    const document = documents[position] as number;
    const isTurn = ((columns.flags[document] as number) & turnFlag) !== 0;
    return !isTurn && (columns.inverseNorm[document] as number) > 0;
  });
  // Copies: the view of a vector is valid only until the next one is read.
  const rows = head.map((position) => vectors.get(documents[position] as number).slice());
  const before = head.map((position) => sortValues[position] as number);
  for (const [i, first] of head.entries()) {
    for (const [j, second] of head.entries()) {
      const [a, b] = [documents[first] as number, documents[second] as number];
      const isOlder = (columns.occurredAt[a] as number) < (columns.occurredAt[b] as number);
      const isNewer = (columns.occurredAt[a] as number) > (columns.occurredAt[b] as number);
      if (query.intent.isAboutPast ? !isNewer : !isOlder) continue;
      if ((before[i] as number) - (before[j] as number) > distanceMax) continue;
      const norms = (columns.inverseNorm[a] as number) * (columns.inverseNorm[b] as number);
      if (dot(rows[i] as Int8Array, rows[j] as Int8Array) * norms < similarityMin) continue;
      lowered.add(a);
      break;
    }
  }
  for (const position of head) {
    if (!lowered.has(documents[position] as number)) continue;
    sortValues[position] = (sortValues[position] as number) - outdatedPenalty;
  }
  return lowered;
}

function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
