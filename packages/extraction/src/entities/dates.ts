import { type DateRange, parseDates } from '@mneme/text';
import { findHolidays } from './holidays.ts';
import { splitWords } from './lexicon/word-lists.ts';
import { correctPastOrFutureDate } from './past-or-future-date.ts';

/** A date in a text: its words and its value. */
export interface DateMention {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** ISO date, month, year, or interval a/b of these. */
  readonly value: string;
}

const dayMs = 86_400_000;
const leadIn = /^(?:since|from|between)\s+/i;

/** The dates of a text, in order; dates that one phrase joins are one interval. */
export function findDates(text: string, at: Date): DateMention[] {
  const feasts = findHolidays(text, at).map((feast) => ({
    ...feast,
    name: text.slice(feast.start, feast.end),
  }));
  const isFree = ({ start, end }: DateRange): boolean =>
    !feasts.some((feast) => feast.start < end && start < feast.end);
  const ranges = parseDates(text, at, 'written')
    .filter((range) => isFree(range) && !isPartOfEvent(text, range) && !isImpossible(text, range))
    .map((range) => correctPastOrFutureDate(text, range, at));
  const mentions: DateMention[] = [];
  for (let i = 0; i < ranges.length; i += 1) {
    const range = ranges[i] as DateRange;
    const next = ranges[i + 1];
    const both = next ? joined(text, range, next) : null;
    if (both) i += 1;
    const mention = both ?? mentionOf(text, range, at);
    if (mention) mentions.push(mention);
  }
  return [...mentions, ...feasts].sort((one, other) => one.start - other.start);
}

/**
 * Nouns that a preceding date identifies: "the October strike", "Q3 offsite", "18 August outage".
 */
export const datedEventNounPattern = new RegExp(
  `^ (?:${splitWords(`
    outage incident strike offsite off-site retreat launch kickoff kick-off hackathon hackday
    workshop summit conference election elections flood storm meetup meet-up party gala fair
    festival protest earthquake tournament regatta marathon derby breach blackout crash fire
    reunion all-hands townhall rally fundraiser concert match game hike drill migration`).join(
    '|',
  )})\\b`,
  'i',
);

const isPartOfEvent = (text: string, { end, grain }: DateRange): boolean =>
  grain !== 'time' && grain !== 'week' && datedEventNounPattern.test(text.slice(end, end + 14));

/** "the 30th of February". */
const isImpossible = (text: string, { start }: DateRange): boolean =>
  /\d(?:st|nd|rd|th)? of $/.test(text.slice(Math.max(0, start - 8), start));

/** "next Tuesday until Sunday": the end is the first Sunday after the start. */
function joined(text: string, one: DateRange, two: DateRange): DateMention | null {
  const between = text.slice(one.end, two.start);
  if (one.grain !== 'day' || two.grain !== 'day') return null;
  if (!/^\s?(?:to|until|till|through|[-–—])\s?$/.test(between)) return null;
  const week = 7 * dayMs;
  const late = two.to <= one.from ? Math.ceil((one.to - two.to) / week) * week : 0;
  if (late > 0 && !/day$/i.test(two.text)) return null;
  const lead = leadIn.exec(one.text)?.[0].length ?? 0;
  const [start, end] = [one.start + lead, two.end];
  const value = `${isoDay(one.from)}/${isoDay(two.to + late - dayMs)}`;
  return { start, end, name: text.slice(start, end), value };
}

function mentionOf(text: string, range: DateRange, at: Date): DateMention | null {
  const lead = leadIn.exec(range.text)?.[0].length ?? 0;
  const start = withArticle(text, range.start + lead);
  const written = range.text.slice(lead);
  const value =
    weeksAway(written, at) ?? calendarValue(range, written, lead > 0 && /^since/i.test(range.text));
  return value === null
    ? null
    : { start, end: range.end, name: text.slice(start, range.end), value };
}

/** "the 28th", "the 70s", "the weekend" include their article. */
function withArticle(text: string, start: number): number {
  const rest = text.slice(start, start + 12);
  if (!/^(?:\d+(?:st|nd|rd|th|s)\b|weekend|'\d0s|end of|beginning of)/i.test(rest)) return start;
  return /\bthe $/i.test(text.slice(Math.max(0, start - 5), start)) ? start - 4 : start;
}

const numbers = ['a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const weeks = new RegExp(
  `^(?:(in) )?(${numbers.join('|')}|one|\\d{1,2}) weeks?(?: (ago|from (?:now|today)))?$`,
  'i',
);

/** "in four weeks" is a day, as "a week from today" and "two weeks ago" are. */
function weeksAway(written: string, at: Date): string | null {
  const match = weeks.exec(written);
  if (!match || (!match[1] && !match[3])) return null;
  const word = (match[2] as string).toLowerCase();
  const count = /^\d/.test(word) ? Number(word) : Math.max(1, numbers.indexOf(word) + 1);
  const sign = match[3] === 'ago' ? -1 : 1;
  return isoDay(at.getTime() + sign * 7 * count * dayMs);
}

const two = (number: number): string => String(number).padStart(2, '0');
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const isoMonth = (date: Date): string => `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}`;

const partOfMonth = /^(?:the )?(?:early|mid|late|beginning|start|middle)\b/i;
const endOf = /^(?:the )?end of\b/i;

/** The shortest form of a range: day, month, year or interval. */
function calendarValue(range: DateRange, written: string, open: boolean): string | null {
  const from = new Date(range.from);
  const last = new Date(range.to - 1);
  if (Number.isNaN(from.getTime()) || Number.isNaN(last.getTime())) return null;
  if (open) return openValue(range, from);
  if (range.grain === 'time') return isoDay(range.from);
  if (endOf.test(written)) return isoDay(last.getTime());
  if (partOfMonth.test(written)) return partValue(range, written, from, last);
  return intervalOf(from, last);
}

/** "Late May" is May, "the beginning of the year" its first month, "early 2019" that year. */
function partValue(range: DateRange, written: string, from: Date, last: Date): string {
  if (range.grain === 'week') return weekOf(from);
  if (range.grain === 'month' || /^(?:the )?(?:beginning|start)/i.test(written)) {
    return isoMonth(from);
  }
  const year = from.getUTCFullYear();
  if (range.grain === 'year') return String(year);
  return range.grain === 'decade'
    ? `${year - (year % 10)}/${year - (year % 10) + 9}`
    : intervalOf(from, last);
}

/** "Early next week" is that week, from Monday. */
function weekOf(from: Date): string {
  const monday = from.getTime() - ((from.getUTCDay() + 6) % 7) * dayMs;
  return `${isoDay(monday)}/${isoDay(monday + 6 * dayMs)}`;
}

/** "Since May" lasts until today: the value is its start. */
function openValue(range: DateRange, from: Date): string {
  if (range.grain === 'year') return String(from.getUTCFullYear());
  if (range.grain === 'month') return isoMonth(from);
  if (range.grain === 'season') {
    const end = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 2, 1));
    return `${isoMonth(from)}/${isoMonth(end)}`;
  }
  return isoDay(from.getTime());
}

function intervalOf(from: Date, last: Date): string {
  const monthly = from.getUTCDate() === 1 && new Date(last.getTime() + 1).getUTCDate() === 1;
  const yearly = monthly && from.getUTCMonth() === 0 && last.getUTCMonth() === 11;
  const cut = (date: Date): string =>
    yearly ? String(date.getUTCFullYear()) : monthly ? isoMonth(date) : isoDay(date.getTime());
  const [one, other] = [cut(from), cut(last)];
  return one === other ? one : `${one}/${other}`;
}
