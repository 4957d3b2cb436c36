import type { OccurrenceSelector } from './date-expression.ts';
import { selectOccurrenceInNotes } from './tense-in-notes.ts';
import { type DateContext, textAt, tokenAt } from './tokens.ts';

const ahead = new Set(
  'will ll shall gonna plan plans planning upcoming deadline scheduled due tomorrow'.split(' '),
);

/** What is told like this is planned: "I'm flying on Friday". */
const planned = new Set(
  (
    'going flying coming leaving getting having meeting moving starting visiting travelling ' +
    'traveling seeing taking hosting attending arriving happening throwing planning heading'
  ).split(' '),
);

const reachTokens = 8;

/**
 * Whether a date without a year, or a weekday, lies behind or ahead. Memories tell of what was, so
 * it lies behind, unless the sentence speaks of what will be: "will", "going to", "I'm flying".
 */
export function selectOccurrence(
  reading: DateContext,
  from: number,
  end: number,
): OccurrenceSelector {
  if (reading.genre === 'written') return selectOccurrenceInNotes(reading, from, end);
  for (let i = from - 1; i >= Math.max(0, from - reachTokens); i -= 1) {
    if (endsSentence(reading, i)) break;
    if (isAhead(reading, i)) return 'ahead';
  }
  for (let i = end; i < end + reachTokens; i += 1) {
    if (endsSentence(reading, i)) break;
    if (isAhead(reading, i)) return 'ahead';
  }
  return 'near';
}

function endsSentence(reading: DateContext, at: number): boolean {
  const { kind, text } = tokenAt(reading, at);
  if (kind === 'none' || kind === 'break') return true;
  return kind === 'mark' && '.!?;'.includes(text);
}

function isAhead(reading: DateContext, at: number): boolean {
  const { kind, text, isCapitalized } = tokenAt(reading, at);
  if (kind !== 'word') return false;
  // Will is a name as well.
  if (ahead.has(text)) return !(isCapitalized && text === 'will');
  if (text === 'see') return textAt(reading, at + 1) === 'you';
  if (text === 'let') return textAt(reading, at + 2) === 's';
  if (text === 'going') return textAt(reading, at + 1) === 'to' && !wasBefore(reading, at);
  return ['am', 'm', 'are', 're', 'is'].includes(text) && planned.has(textAt(reading, at + 1));
}

const wasBefore = (reading: DateContext, at: number): boolean =>
  ['was', 'were'].includes(textAt(reading, at - 1));
