import type { OlderText, OutdatedReason, OutdatedText } from '../../text-analyzer.ts';
import { readTextFeatures, type TextFeatures } from './pair-features.ts';
import { combinedLogOdds, quickLogOdds, reasonOf, toProbability } from './quick-classifier.ts';

export interface TextPair {
  readonly older: string;
  readonly newer: string;
}

/** The network judges so many pairs of a newer text: it takes milliseconds for each. */
const judgedMax = 2;
/** Fewer words are no statement: the network has seen only sentences. */
const wordsMin = 4;
/** Below these log-odds by features alone, the network is not asked. */
const judgedMin = -1.5;
/**
 * The network has seen statements, not turns of conversations: of these it takes greetings, thanks
 * and answers for updates (bench/results/2026-11-30.md). A turn outdates by words of a change only,
 * and from this confidence on.
 */
const turnConfidenceMin = 0.75;

/**
 * Those of the older texts that a newer one may outdate, by features alone: takes a fraction of a
 * millisecond. Less certain than `findOutdated`.
 */
export function findOutdatedQuickly(
  newer: string,
  older: readonly Omit<OlderText, 'at'>[],
): OutdatedText[] {
  const features = readTextFeatures(newer);
  const reason = reasonOf(features);
  const found = judgeByFeatures(features, reason, older).map(({ index, quick }) => ({
    index,
    confidence: toProbability(quick),
    reason,
  }));
  return found.filter((one) => isConfident(one, older));
}

/**
 * Those of the older texts that a newer one may outdate: a network that reads both texts judges
 * those that features alone do not exclude.
 * @param judge the log-odds of pairs by the network
 */
export async function findOutdated(
  newer: string,
  older: readonly Omit<OlderText, 'at'>[],
  judge: (pairs: readonly TextPair[]) => Promise<readonly number[]>,
): Promise<OutdatedText[]> {
  const features = readTextFeatures(newer);
  const reason = reasonOf(features);
  const judged = judgeByFeatures(features, reason, older)
    .filter(({ quick }) => quick >= judgedMin)
    .sort((a, b) => b.quick - a.quick)
    .slice(0, judgedMax);
  if (judged.length === 0) return [];
  const logOdds = await judge(judged.map(({ text }) => ({ older: text, newer })));
  const found = judged.map(({ index, quick }, i) => ({
    index,
    confidence: toProbability(combinedLogOdds(quick, logOdds[i] as number)),
    reason,
  }));
  return found.filter((one) => isConfident(one, older));
}

const isConfident = (
  { index, confidence }: OutdatedText,
  older: readonly Omit<OlderText, 'at'>[],
): boolean => !older[index]?.isTurn || confidence >= turnConfidenceMin;

/** The log-odds of each older text by features alone; leaves out what is no statement. */
function judgeByFeatures(
  newer: TextFeatures,
  reason: OutdatedReason,
  older: readonly Omit<OlderText, 'at'>[],
): { readonly index: number; readonly text: string; readonly quick: number }[] {
  if (newer.words < wordsMin) return [];
  return older.flatMap(({ text, similarity, isTurn }, index) => {
    if (isTurn && reason === 'other_value') return [];
    const features = readTextFeatures(text);
    if (features.words < wordsMin) return [];
    return [{ index, text, quick: quickLogOdds(features, newer, similarity) }];
  });
}

/** Whether a text has words that tell of a change; without them it is judged in the background. */
export function tellsOfChange(text: string): boolean {
  const { cues } = readTextFeatures(text);
  return cues.ended || cues.replaced || cues.now || cues.corrected;
}
