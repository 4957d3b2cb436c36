import type { FactPredicate } from '../../types.ts';
import type { SentenceSlot, SlottedSentence } from '../slotted-sentences.ts';

/** Two names of a text that may have a fact between them, the earlier first. */
export interface FactCandidatePair {
  readonly slots: readonly SentenceSlot[];
  /** Slot indices; equal for names of one list. */
  readonly one: number;
  readonly other: number;
  /**
   * How the first relates to the second: in the sentence, as the speaker, in the line before, or in
   * a list.
   */
  readonly kind: 'sentence' | 'speaker' | 'line' | 'list';
}

/** Limits the time for long lists of names. */
const pairsMax = 2_000;
const slotsBetweenMax = 26;
const namesBetweenMax = 5;
const lineSlotsMax = 9;

/**
 * All pairs of a text, sentence by sentence, except in questions; `speaker` is the entity of "I".
 */
export function buildFactCandidatePairs(
  sentences: readonly SlottedSentence[],
  speaker: number | null,
): FactCandidatePair[] {
  const pairs: FactCandidatePair[] = [];
  for (const [at, sentence] of sentences.entries()) {
    if (sentence.isQuestion) continue;
    const last = sentences[at - 1];
    pairs.push(...within(sentence), ...ofSpeaker(sentence, speaker));
    if (last) pairs.push(...acrossLines(last, sentence));
    if (pairs.length > pairsMax) break;
  }
  return pairs;
}

const isName = ({ kind }: SentenceSlot): boolean => kind === 'name' || kind === 'group';

function within({ slots }: SlottedSentence): FactCandidatePair[] {
  const pairs: FactCandidatePair[] = [];
  for (const [one, slot] of slots.entries()) {
    if (!isName(slot)) continue;
    if (slot.ids.length > 1) pairs.push({ slots, one, other: one, kind: 'list' });
    let names = 0;
    for (let other = one + 1; other < slots.length && other - one <= slotsBetweenMax; other += 1) {
      if (!isName(slots[other] as SentenceSlot)) continue;
      names += 1;
      pairs.push({ slots, one, other, kind: 'sentence' });
      if (names > namesBetweenMax) break;
    }
  }
  return pairs;
}

/** "Met Ana yesterday": the speaker is not always named, and precedes the sentence. */
function ofSpeaker({ slots }: SlottedSentence, speaker: number | null): FactCandidatePair[] {
  if (speaker === null || slots.some(({ ids, kind }) => kind !== 'date' && ids.includes(speaker)))
    return [];
  const start = slots[0]?.start ?? 0;
  const self: SentenceSlot = {
    text: `<p:${speaker}>`,
    kind: 'name',
    type: 'person',
    ids: [speaker],
    start,
    end: start,
  };
  const all = [self, ...slots];
  const names = all.flatMap((slot, at) =>
    at > 0 && at <= slotsBetweenMax && isName(slot) ? [at] : [],
  );
  return names
    .slice(0, namesBetweenMax)
    .map((other) => ({ slots: all, one: 0, other, kind: 'speaker' }));
}

/** "Ana Lund" above "Globex GmbH": the last name and the first one of two short lines. */
function acrossLines(above: SlottedSentence, below: SlottedSentence): FactCandidatePair[] {
  if (above.slots.length > lineSlotsMax && below.slots.length > lineSlotsMax) return [];
  const slots = [
    ...above.slots,
    { text: '/', kind: 'word', ids: [], start: 0, end: 0 } as SentenceSlot,
    ...below.slots,
  ];
  const one = above.slots.findLastIndex(isName);
  const first = below.slots.findIndex(isName);
  if (one < 0 || first < 0) return [];
  const pairs: FactCandidatePair[] = [];
  for (let at = 0; at < below.slots.length && pairs.length < 2; at += 1) {
    if (!isName(below.slots[at] as SentenceSlot)) continue;
    pairs.push({
      slots,
      one,
      other: above.slots.length + 1 + at,

      kind: 'line',
    });
  }
  return pairs.filter(({ other, one: from }) => other - from <= slotsBetweenMax);
}

/** Labels of a pair: none, or a predicate from the first to the second or in reverse. */
export const pairLabels: readonly string[] = [
  'none',
  ...['works_at', 'reports_to', 'located_in', 'uses', 'knows', 'part_of', 'related_to'].flatMap(
    (name) => [`${name} >`, `${name} <`],
  ),
  'collaborates_with >',
];

export interface PairLabel {
  readonly predicate: FactPredicate;
  readonly isReversed: boolean;
}

export function parsePairLabel(name: string): PairLabel {
  const [predicate, way] = name.split(' ');
  return { predicate: predicate as FactPredicate, isReversed: way === '<' };
}
