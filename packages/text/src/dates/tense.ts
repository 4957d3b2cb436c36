import type { OccurrenceSelector } from './date-expression.ts';
import { selectOccurrenceByTenseInNotes } from './tense-in-notes.ts';
import { type DateParserState, textAt, tokenAt } from './tokens.ts';

const futureWords = new Set(
  'will ll shall gonna plan plans planning upcoming deadline scheduled due tomorrow'.split(' '),
);

/** Verbs that express a plan: "I'm flying on Friday". */
const plannedVerbs = new Set(
  (
    'going flying coming leaving getting having meeting moving starting visiting travelling ' +
    'traveling seeing taking hosting attending arriving happening throwing planning heading'
  ).split(' '),
);

const reachTokens = 8;

/**
 * Selects whether a date without a year, or a weekday, is in the past or the future. Memories are
 * about the past, unless the sentence expresses the future: "will", "going to", "I'm flying".
 */
export function selectOccurrenceByTense(
  context: DateParserState,
  from: number,
  end: number,
): OccurrenceSelector {
  if (context.genre === 'written') return selectOccurrenceByTenseInNotes(context, from, end);
  for (let i = from - 1; i >= Math.max(0, from - reachTokens); i -= 1) {
    if (endsSentence(context, i)) break;
    if (isAhead(context, i)) return 'ahead';
  }
  for (let i = end; i < end + reachTokens; i += 1) {
    if (endsSentence(context, i)) break;
    if (isAhead(context, i)) return 'ahead';
  }
  return 'near';
}

function endsSentence(context: DateParserState, at: number): boolean {
  const { kind, text } = tokenAt(context, at);
  if (kind === 'none' || kind === 'break') return true;
  return kind === 'mark' && '.!?;'.includes(text);
}

function isAhead(context: DateParserState, at: number): boolean {
  const { kind, text, isCapitalized } = tokenAt(context, at);
  if (kind !== 'word') return false;
  // Will is also a name.
  if (futureWords.has(text)) return !(isCapitalized && text === 'will');
  if (text === 'see') return textAt(context, at + 1) === 'you';
  if (text === 'let') return textAt(context, at + 2) === 's';
  if (text === 'going') return textAt(context, at + 1) === 'to' && !wasBefore(context, at);
  return ['am', 'm', 'are', 're', 'is'].includes(text) && plannedVerbs.has(textAt(context, at + 1));
}

const wasBefore = (context: DateParserState, at: number): boolean =>
  ['was', 'were'].includes(textAt(context, at - 1));
