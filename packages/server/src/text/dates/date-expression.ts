/** What a text says about time, as written: nothing here is counted from an instant yet. */

export type Unit =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'weekend'
  | 'week'
  | 'fortnight'
  | 'month'
  | 'quarter'
  | 'year'
  | 'decade';

/** Which one of several: the latest that has begun, the first that is not over, "last", … */
export type OccurrenceSelector = 'near' | 'ahead' | 'coming' | 'closest' | 'last' | 'this' | 'next';

export type PeriodPart = 'early' | 'mid' | 'late';
export type DayPart = 'morning' | 'afternoon' | 'evening' | 'night';

/** A number of units; "a few" is a range. */
export interface Amount {
  readonly unit: Unit;
  readonly low: number;
  readonly high: number;
}

interface CalendarDate {
  readonly is: 'calendar';
  readonly year: number | null;
  /** "last year" beside a month, instead of its number. */
  readonly yearBy: number | null;
  readonly month: number | null;
  readonly day: number | null;
  /** The weekday beside a day of no month: "Friday the 13th". */
  readonly weekday: number | null;
  readonly which: OccurrenceSelector;
}

export type DateExpression =
  | CalendarDate
  | { readonly is: 'exact'; readonly from: number; readonly to: number }
  /** `back`: so many weeks, or years of a season, earlier still: "two Sundays ago" has 1. */
  | {
      readonly is: 'weekday';
      readonly weekday: number;
      readonly which: OccurrenceSelector;
      readonly back?: number;
    }
  /** A weekday of last, this or next week. */
  | { readonly is: 'weekdayOf'; readonly weekday: number; readonly by: number }
  /** `months` from a month on, within a year or the nearest: seasons, quarters, halves. */
  | {
      readonly is: 'season';
      readonly month: number;
      readonly months: number;
      readonly year: number | null;
      readonly yearBy: number | null;
      readonly which: OccurrenceSelector;
      readonly back?: number;
    }
  | {
      readonly is: 'thanksgiving';
      readonly year: number | null;
      readonly which: OccurrenceSelector;
    }
  /** The decade of a year, or of two digits. */
  | { readonly is: 'decade'; readonly year: number }
  /** A whole unit of the calendar: last week is −1, this one 0. */
  | { readonly is: 'unit'; readonly unit: Unit; readonly by: number }
  /** The weekend that was last or is now, or that comes. */
  | { readonly is: 'weekend'; readonly which: OccurrenceSelector }
  /** So far from now: "two years and a month ago". */
  | { readonly is: 'away'; readonly amounts: readonly Amount[]; readonly sign: 1 | -1 }
  /** From now back, or on: "the past two weeks". */
  | { readonly is: 'rolling'; readonly amount: Amount; readonly sign: 1 | -1 }
  /** So far from another date: "two weeks before 9 June". */
  | {
      readonly is: 'awayFrom';
      readonly amounts: readonly Amount[];
      readonly sign: 1 | -1;
      readonly base: DateExpression;
    }
  /** The unit or weekday just before or after another date. */
  | {
      readonly is: 'beside';
      readonly what: Unit | number;
      readonly sign: 1 | -1;
      readonly base: DateExpression;
    }
  /** The first, or the last (−1), week, month, weekday … of a longer stretch. */
  | {
      readonly is: 'nth';
      readonly what: Unit | 'half' | number;
      readonly nth: number;
      readonly base: DateExpression;
    }
  /** The week or weekend that another date lies in. */
  | { readonly is: 'around'; readonly unit: 'week' | 'weekend'; readonly base: DateExpression }
  | { readonly is: 'part'; readonly part: PeriodPart; readonly base: DateExpression }
  | { readonly is: 'dayPart'; readonly part: DayPart; readonly base: DateExpression }
  | { readonly is: 'span'; readonly first: DateExpression; readonly last: DateExpression }
  | { readonly is: 'since'; readonly base: DateExpression };

export const calendarDate = (
  fields: Partial<Omit<CalendarDate, 'is'>> & { readonly which?: OccurrenceSelector },
): DateExpression => ({
  is: 'calendar',
  year: null,
  yearBy: null,
  month: null,
  day: null,
  weekday: null,
  which: 'near',
  ...fields,
});

export const todayExpression: DateExpression = { is: 'unit', unit: 'day', by: 0 };
