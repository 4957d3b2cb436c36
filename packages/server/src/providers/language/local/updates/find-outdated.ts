import type { OlderText, OutdatedText } from '../../text-analyzer.ts';
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
 * Those of the older texts that a newer one may outdate, by features alone: takes a fraction of a
 * millisecond. Less certain than `findOutdated`.
 */
export function findOutdatedQuickly(
  newer: string,
  older: readonly Pick<OlderText, 'text' | 'similarity'>[],
): OutdatedText[] {
  const features = readTextFeatures(newer);
  const reason = reasonOf(features);
  return judgeByFeatures(features, older).map(({ index, quick }) => ({
    index,
    confidence: toProbability(quick),
    reason,
  }));
}

/**
 * Those of the older texts that a newer one may outdate: a network that reads both texts judges
 * those that features alone do not exclude.
 * @param judge the log-odds of pairs by the network
 */
export async function findOutdated(
  newer: string,
  older: readonly Pick<OlderText, 'text' | 'similarity'>[],
  judge: (pairs: readonly TextPair[]) => Promise<readonly number[]>,
): Promise<OutdatedText[]> {
  const features = readTextFeatures(newer);
  const reason = reasonOf(features);
  const judged = judgeByFeatures(features, older)
    .filter(({ quick }) => quick >= judgedMin)
    .sort((a, b) => b.quick - a.quick)
    .slice(0, judgedMax);
  if (judged.length === 0) return [];
  const logOdds = await judge(judged.map(({ text }) => ({ older: text, newer })));
  return judged.map(({ index, quick }, i) => ({
    index,
    confidence: toProbability(combinedLogOdds(quick, logOdds[i] as number)),
    reason,
  }));
}

/** The log-odds of each older text by features alone; leaves out what is no statement. */
function judgeByFeatures(
  newer: TextFeatures,
  older: readonly Pick<OlderText, 'text' | 'similarity'>[],
): { readonly index: number; readonly text: string; readonly quick: number }[] {
  if (newer.words < wordsMin) return [];
  return older.flatMap(({ text, similarity }, index) => {
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
