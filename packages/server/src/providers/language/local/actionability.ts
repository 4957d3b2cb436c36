import type { DateRange, Sentence } from '@mneme/text';
import { anyPhrasePattern } from './any-phrase-pattern.ts';
import { contentVerbs, lightVerbs } from './lexicon.ts';

/** Patterns of text that calls for an action or a decision, with the weight of one occurrence. */
const cues: readonly { readonly weight: number; readonly pattern: RegExp }[] = [
  // Obligations.
  {
    weight: 0.45,
    pattern: anyPhrasePattern(
      `must, mustn't, should, shouldn't, ought to, shall, ha(?:ve|s) to, needs?(?: to)?, required,
      mandatory, forbidden, not allowed`,
      'giu',
    ),
  },
  // Decisions.
  {
    weight: 0.5,
    pattern: anyPhrasePattern(
      `decided, decision, agreed, approved, rejected, chose, chosen, settled on, signed off,
      go(?:ing)? with, resolved to, opted for`,
      'giu',
    ),
  },
  // Commitments.
  {
    weight: 0.3,
    pattern: anyPhrasePattern(
      "will, won't, going to, plans? to, planned, intends? to, (?:i|we|you|s?he|they)['’]ll",
      'giu',
    ),
  },
  // Preferences and standing rules.
  {
    weight: 0.5,
    pattern: anyPhrasePattern(
      `always, never, prefers?, preferred, preference, avoids?, instead of, rather than,
      favou?rite, allergic, no longer`,
      'giu',
    ),
  },
  {
    weight: 0.25,
    pattern: anyPhrasePattern('likes?, dislikes?, loves?, hates?, wants?, wishes', 'giu'),
  },
  // Tasks.
  {
    weight: 0.5,
    pattern: anyPhrasePattern(
      `to-?do, fixme, action items?, follow[- ]?up, next steps?, remind(?:er|s)?, remember to,
      make sure, blocked (?:by|on), takes over`,
      'giu',
    ),
  },
];
const imperativeWeight = 0.5;
const deadlineWeight = 0.4;
const countMax = 3;
const headCharacters = 120;

const deadlineWord = /\b(?:due|deadline|no later than|asap|expires?|overdue)\b/giu;
const beforeDate = /\b(?:by|before|until|till|due(?: on)?)\s+(?:the\s+)?$/iu;
const beforeDateCharacters = 16;
/** The number of a list item: "(2) then call Ana". */
const itemNumber = /^\(?\d+\)\s*/u;
const urging = /^(?:please|kindly|let['’]s|don['’]t|do not)\s/iu;
const firstWords = /^(?:then\s+)?([\p{L}'’-]+)\s+([\p{L}'’-]+)/iu;
/** After a word that is both verb and noun, these indicate a noun: "Report of the chair". */
const afterNouns = new Set('of is are was were has have will and or from'.split(' '));

/**
 * Actionability: how likely a text says what to do. Obligations, decisions, commitments,
 * preferences, tasks, imperatives and deadlines are independent signs, combined by a noisy-or
 * (Pearl, "Probabilistic reasoning in intelligent systems", 1988):
 *     actionability = 1 − Π (1 − weight)^min(3, occurrences)
 * with our own weights, 0.25 to 0.5; in a question a sign counts half. The kinds of signs follow
 * the commitments and requests of Cohen et al., "Learning to classify email into speech acts"
 * (2004). An additional sign never lowers the value.
 */
export function scoreActionability(
  sentences: readonly Sentence[],
  dates: readonly DateRange[],
): number {
  const counts = cues.map(() => 0);
  let imperatives = 0;
  let deadlines = 0;
  for (const { text } of sentences) {
    const share = /[?？]["'”’)\]]?$/u.test(text) ? 0.5 : 1;
    for (const [i, { pattern }] of cues.entries()) {
      counts[i] = (counts[i] ?? 0) + share * (text.match(pattern)?.length ?? 0);
    }
    deadlines += share * (text.match(deadlineWord)?.length ?? 0);
    if (isImperative(text)) imperatives += share;
  }
  deadlines += countDeadlines(sentences, dates);
  const signs = [
    ...cues.map(({ weight }, i) => [weight, counts[i] ?? 0] as const),
    [imperativeWeight, imperatives] as const,
    [deadlineWeight, deadlines] as const,
  ];
  return 1 - signs.reduce((left, [weight, n]) => left * (1 - weight) ** Math.min(countMax, n), 1);
}

/** "Ship it", "Please call Ana": starts with the base form of a verb that is not a noun here. */
function isImperative(text: string): boolean {
  const said = text.slice(0, headCharacters).replace(itemNumber, '');
  if (urging.test(said)) return true;
  const [, verb = '', next = ''] = firstWords.exec(said.toLowerCase()) ?? [];
  return (contentVerbs.has(verb) || lightVerbs.has(verb)) && !afterNouns.has(next);
}

/** Number of dates that are deadlines. */
function countDeadlines(sentences: readonly Sentence[], dates: readonly DateRange[]): number {
  let count = 0;
  let at = 0;
  for (const { start } of dates) {
    while (at < sentences.length && (sentences[at] as Sentence).end <= start) at += 1;
    const sentence = sentences[at];
    if (!sentence || sentence.start > start) continue;
    const offset = start - sentence.start;
    const before = sentence.text.slice(Math.max(0, offset - beforeDateCharacters), offset);
    // A date may include its "by": the date parser consumes "until" and "before".
    const head = sentence.text.slice(offset, offset + beforeDateCharacters);
    if (beforeDate.test(before) || /^(?:by|before|until|till)\s/iu.test(head)) count += 1;
  }
  return count;
}
