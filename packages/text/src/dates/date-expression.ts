/** A time expression as written, not yet resolved against a reference time. */

export type TimeUnit =
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

/** Selects one occurrence: the latest that has begun, the first that has not ended, "last", … */
export type OccurrenceSelector = 'near' | 'ahead' | 'coming' | 'closest' | 'last' | 'this' | 'next';

export type PeriodPosition = 'early' | 'mid' | 'late';
export type DayPart = 'morning' | 'afternoon' | 'evening' | 'night';

/** A number of units; "a few" is a range. */
export interface TimeAmount {
  readonly unit: TimeUnit;
  readonly low: number;
  readonly high: number;
}

interface CalendarDate {
  readonly is: 'calendar';
  readonly year: number | null;
  /** "last year" together with a month, instead of a year number. */
  readonly yearBy: number | null;
  readonly month: number | null;
  readonly day: number | null;
  /** The weekday together with a day without a month: "Friday the 13th". */
  readonly weekday: number | null;
  readonly which: OccurrenceSelector;
}

export type DateExpression =
  | CalendarDate
  | { readonly is: 'exact'; readonly from: number; readonly to: number }
  /** `back`: number of weeks, or years for a season, further back: "two Sundays ago" has 1. */
  | {
      readonly is: 'weekday';
      readonly weekday: number;
      readonly which: OccurrenceSelector;
      readonly back?: number;
    }
  /** A weekday of last, this or next week. */
  | { readonly is: 'weekdayOf'; readonly weekday: number; readonly by: number }
  /** `months` months from a month, in a year or the nearest one: seasons, quarters, halves. */
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
  /** The decade of a year or of a two-digit number. */
  | { readonly is: 'decade'; readonly year: number }
  /** A calendar unit: last week is −1, this week 0. */
  | { readonly is: 'unit'; readonly unit: TimeUnit; readonly by: number }
  /** The last, current or next weekend. */
  | { readonly is: 'weekend'; readonly which: OccurrenceSelector }
  /** An offset from now: "two years and a month ago". */
  | { readonly is: 'away'; readonly amounts: readonly TimeAmount[]; readonly sign: 1 | -1 }
  /** A range that starts or ends now: "the past two weeks". */
  | { readonly is: 'rolling'; readonly amount: TimeAmount; readonly sign: 1 | -1 }
  /** An offset from another date: "two weeks before 9 June". */
  | {
      readonly is: 'awayFrom';
      readonly amounts: readonly TimeAmount[];
      readonly sign: 1 | -1;
      readonly base: DateExpression;
    }
  /** The unit or weekday directly before or after another date. */
  | {
      readonly is: 'beside';
      readonly what: TimeUnit | number;
      readonly sign: 1 | -1;
      readonly base: DateExpression;
    }
  /** The nth or last (−1) week, month, weekday … of a longer range. */
  | {
      readonly is: 'nth';
      readonly what: TimeUnit | 'half' | number;
      readonly nth: number;
      readonly base: DateExpression;
    }
  /** The week or weekend that contains another date. */
  | { readonly is: 'around'; readonly unit: 'week' | 'weekend'; readonly base: DateExpression }
  | { readonly is: 'part'; readonly part: PeriodPosition; readonly base: DateExpression }
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
