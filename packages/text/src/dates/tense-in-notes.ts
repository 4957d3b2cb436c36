import type { OccurrenceSelector } from './date-expression.ts';
import { type DateParserState, textAt, tokenAt } from './tokens.ts';

const reachTokens = 24;

const futureWords = new Set(
  `will ll shall gonna plan plans planning planned upcoming deadline due tomorrow tonight next soon
  please reminder remind must need needs should can could would may might starts start begins begin
  opens open closes close ends expires expire arrives arrive leaves leave comes come goes go flies
  fly lands takes meets meet follows follow is are am m s re has have needs wants want hosts visits
  steps speaks gives stops covers sends looks moves move switches joins returns return applies
  apply let submit send bring book invite rsvp
  until till`.split(/\s+/),
);

const pastWords = new Set(
  `was were did had went met left got came took gave said told saw broke froze sold bought wrote
  flew drove ran sent began held lost won felt heard found brought taught thought knew grew fell
  paid spent built led fed hit put cut quit read became kept slept shot sang rang drank ate forgot
  chose spoke stole threw wore hid rose sank stuck swam tore woke withdrew understood last died
  tied lied stood lay
  yesterday ago since`.split(/\s+/),
);

/** Words that end in "ed" and are not past tense. */
const notPast = new Set('need feed seed speed indeed hundred red bed shed weed exceed'.split(' '));

const passives = new Set('is are be being am m re'.split(' '));

/**
 * For notes, letters and minutes: the nearest verb or other cue in the sentence decides whether a
 * date is in the future. Without a cue, days and weekdays are the next ones, and a date or month is
 * the nearer one.
 */
export function selectOccurrenceByTenseInNotes(
  context: DateParserState,
  from: number,
  end: number,
): OccurrenceSelector {
  if (isMovedTo(context, from)) return 'closest';
  for (let step = 1; step <= reachTokens; step += 1) {
    if (endsSentence(context, from - step)) break;
    const sign = tenseCueAt(context, from - step);
    if (sign) return ofWeekday(context, from, sign);
  }
  for (let at = end; at < end + reachTokens; at += 1) {
    if (endsSentence(context, at) || textAt(context, at) === ',') break;
    const sign = tenseCueAt(context, at);
    if (sign) return ofWeekday(context, from, sign);
  }
  const { meaning } = tokenAt(context, from);
  return meaning?.is === 'month' || tokenAt(context, end - 1).meaning?.is === 'month'
    ? 'closest'
    : ofWeekday(context, from, 'ahead');
}

const movings = new Set(
  'moved postponed rescheduled pushed deferred delayed shifted back forward brought'.split(' '),
);

/** "postponed to 3 May": the new date, in either direction. */
const isMovedTo = (context: DateParserState, from: number): boolean =>
  textAt(context, from - 1) === 'to' && movings.has(textAt(context, from - 2));

/** A future weekday is not today. */
const ofWeekday = (
  context: DateParserState,
  at: number,
  which: OccurrenceSelector,
): OccurrenceSelector =>
  which === 'ahead' && tokenAt(context, at).meaning?.is === 'weekday' ? 'coming' : which;

function endsSentence(context: DateParserState, at: number): boolean {
  const { kind, text } = tokenAt(context, at);
  if (kind === 'none' || kind === 'break') return true;
  return kind === 'mark' && '.!?;'.includes(text) && !'.'.includes(textAt(context, at + 1));
}

function tenseCueAt(context: DateParserState, at: number): OccurrenceSelector | null {
  const { kind, text } = tokenAt(context, at);
  if (kind !== 'word') return null;
  if (pastWords.has(text) && !isPassive(context, at)) return 'near';
  if (futureWords.has(text)) return isPerfect(context, at) ? 'near' : 'ahead';
  if (!text.endsWith('ed') || text.length < 5 || notPast.has(text)) return null;
  return isPassive(context, at) ? 'ahead' : 'near';
}

/** "is scheduled" is future; "was moved" and "moved" are past. */
function isPassive(context: DateParserState, at: number): boolean {
  for (let i = at - 1; i >= at - 2; i -= 1) {
    const before = textAt(context, i);
    if (passives.has(before) || before === 'to' || before === 'will') return true;
  }
  return false;
}

/** "has left", "have been", "it's been": past. */
function isPerfect(context: DateParserState, at: number): boolean {
  const text = textAt(context, at);
  if (text !== 'has' && text !== 'have' && text !== 's') return false;
  const next = textAt(context, at + 1);
  return next === 'been' || pastWords.has(next) || (next.endsWith('ed') && !notPast.has(next));
}
