import type { OccurrenceSelector } from './date-expression.ts';
import { type DateContext, textAt, tokenAt } from './tokens.ts';

const reachTokens = 24;

const coming = new Set(
  `will ll shall gonna plan plans planning planned upcoming deadline due tomorrow tonight next soon
  please reminder remind must need needs should can could would may might starts start begins begin
  opens open closes close ends expires expire arrives arrive leaves leave comes come goes go flies
  fly lands takes meets meet follows follow is are am m s re has have needs wants want hosts visits
  steps speaks gives stops covers sends looks moves move switches joins returns return applies
  apply let submit send bring book invite rsvp
  until till`.split(/\s+/),
);

const gone = new Set(
  `was were did had went met left got came took gave said told saw broke froze sold bought wrote
  flew drove ran sent began held lost won felt heard found brought taught thought knew grew fell
  paid spent built led fed hit put cut quit read became kept slept shot sang rang drank ate forgot
  chose spoke stole threw wore hid rose sank stuck swam tore woke withdrew understood last died
  tied lied stood lay
  yesterday ago since`.split(/\s+/),
);

/** End in "ed" and tell of nothing that was. */
const notPast = new Set('need feed seed speed indeed hundred red bed shed weed exceed'.split(' '));

const passives = new Set('is are be being am m re'.split(' '));

/**
 * As notes, letters and minutes have it: the nearest verb or other sign within the sentence says
 * whether a date lies ahead. Without one, days and weekdays are those that come, and a date or
 * month is the one that is fewer days away.
 */
export function selectOccurrenceInNotes(
  reading: DateContext,
  from: number,
  end: number,
): OccurrenceSelector {
  if (isMovedTo(reading, from)) return 'closest';
  for (let step = 1; step <= reachTokens; step += 1) {
    if (endsSentence(reading, from - step)) break;
    const sign = tenseCueAt(reading, from - step);
    if (sign) return ofWeekday(reading, from, sign);
  }
  for (let at = end; at < end + reachTokens; at += 1) {
    if (endsSentence(reading, at) || textAt(reading, at) === ',') break;
    const sign = tenseCueAt(reading, at);
    if (sign) return ofWeekday(reading, from, sign);
  }
  const { meaning } = tokenAt(reading, from);
  return meaning?.is === 'month' || tokenAt(reading, end - 1).meaning?.is === 'month'
    ? 'closest'
    : ofWeekday(reading, from, 'ahead');
}

const movings = new Set(
  'moved postponed rescheduled pushed deferred delayed shifted back forward brought'.split(' '),
);

/** "postponed to 3 May": the day it was moved to, whichever way. */
const isMovedTo = (reading: DateContext, from: number): boolean =>
  textAt(reading, from - 1) === 'to' && movings.has(textAt(reading, from - 2));

/** A weekday that comes is not today. */
const ofWeekday = (
  reading: DateContext,
  at: number,
  which: OccurrenceSelector,
): OccurrenceSelector =>
  which === 'ahead' && tokenAt(reading, at).meaning?.is === 'weekday' ? 'coming' : which;

function endsSentence(reading: DateContext, at: number): boolean {
  const { kind, text } = tokenAt(reading, at);
  if (kind === 'none' || kind === 'break') return true;
  return kind === 'mark' && '.!?;'.includes(text) && !'.'.includes(textAt(reading, at + 1));
}

function tenseCueAt(reading: DateContext, at: number): OccurrenceSelector | null {
  const { kind, text } = tokenAt(reading, at);
  if (kind !== 'word') return null;
  if (gone.has(text) && !isPassive(reading, at)) return 'near';
  if (coming.has(text)) return isPerfect(reading, at) ? 'near' : 'ahead';
  if (!text.endsWith('ed') || text.length < 5 || notPast.has(text)) return null;
  return isPassive(reading, at) ? 'ahead' : 'near';
}

/** "is scheduled" is still to come; "was moved" and "moved" have been. */
function isPassive(reading: DateContext, at: number): boolean {
  for (let i = at - 1; i >= at - 2; i -= 1) {
    const before = textAt(reading, i);
    if (passives.has(before) || before === 'to' || before === 'will') return true;
  }
  return false;
}

/** "has left", "have been", "it's been": what has been done. */
function isPerfect(reading: DateContext, at: number): boolean {
  const text = textAt(reading, at);
  if (text !== 'has' && text !== 'have' && text !== 's') return false;
  const next = textAt(reading, at + 1);
  return next === 'been' || gone.has(next) || (next.endsWith('ed') && !notPast.has(next));
}
