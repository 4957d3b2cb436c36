export const zooms = ['day', 'week', 'month', 'year'] as const;
export type Zoom = (typeof zooms)[number];

export interface TimedItem {
  readonly id: string;
  readonly atMs: number;
}

export interface Bucket<T> {
  readonly startMs: number;
  readonly items: readonly T[];
}

/** The start of the day, week (from Monday), month or year, in the time zone of the reader. */
export function startOfBucket(atMs: number, zoom: Zoom): number {
  const date = new Date(atMs);
  date.setHours(0, 0, 0, 0);
  if (zoom === 'week') date.setDate(date.getDate() - ((date.getDay() + 6) % 7));
  if (zoom === 'month') date.setDate(1);
  if (zoom === 'year') date.setMonth(0, 1);
  return date.getTime();
}

/** Items that are sorted by time, newest first, in buckets of the same order. */
export function toBuckets<T extends TimedItem>(items: readonly T[], zoom: Zoom): Bucket<T>[] {
  const groups = Map.groupBy(items, ({ atMs }) => startOfBucket(atMs, zoom));
  return [...groups].map(([startMs, group]) => ({ startMs, items: group }));
}

/** A list that is loaded in pages, newest first. */
export interface LoadedList<T> {
  readonly items: readonly T[];
  readonly isComplete: boolean;
}

/**
 * Joins lists by time, down to where every list is known: below, an item of another list could
 * still be missing between two that are loaded.
 */
export function mergeByTime<T extends TimedItem>(lists: readonly LoadedList<T>[]): T[] {
  const known = lists
    .filter(({ isComplete }) => !isComplete)
    .map(({ items }) => items.at(-1)?.atMs ?? Number.POSITIVE_INFINITY);
  const horizonMs = Math.max(Number.NEGATIVE_INFINITY, ...known);
  return lists
    .flatMap(({ items }) => items)
    .filter(({ atMs }) => atMs >= horizonMs)
    .sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1));
}

const formats: Readonly<Record<Zoom, Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }),
  week: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
  month: new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' }),
  year: new Intl.DateTimeFormat(undefined, { year: 'numeric' }),
};

export const bucketLabel = (startMs: number, zoom: Zoom): string =>
  zoom === 'week' ? `Week of ${formats.week.format(startMs)}` : formats[zoom].format(startMs);

const itemFormats: Readonly<Record<Zoom, Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  week: new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }),
  month: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }),
  year: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }),
};

/** The time of an item within its bucket. */
export const itemTime = (atMs: number, zoom: Zoom): string => itemFormats[zoom].format(atMs);
