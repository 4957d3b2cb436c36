const calendarDate = /^(\d{4})-?(\d{2})-?(\d{2})$/;
const ordinalDate = /^(\d{4})-?(\d{3})$/;
const weekDate = /^(\d{4})-?W(\d{2})-?([1-7])$/;
const timeOfDay = /^(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?$/;
const dateTime = /^([^Tt]+)[Tt]([\d:.,]+)(Z|z|[+-]\d{2}(?::?\d{2})?)$/;

const dayMs = 86_400_000;
const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Parses ISO 8601: calendar, ordinal and week dates in extended or basic form, with an offset or Z.
 * A date without a time is midnight UTC; 24:00 is the end of its day; digits beyond milliseconds
 * are truncated. Returns null for other texts, for instants that do not exist (30 February, 25:00),
 * and outside the years 0001 to 9999 in UTC.
 */
export function parseTimestamp(text: string): Date | null {
  const [, day = text, time = '00', zone = 'Z'] = dateTime.exec(text) ?? [];
  const dayStart = readDate(day);
  const sinceStart = readTime(time);
  const offset = readOffset(zone);
  if (dayStart === null || sinceStart === null || offset === null) return null;
  const instant = dayStart + sinceStart - offset;
  return instant >= earliestMs && instant <= latestMs ? new Date(instant) : null;
}

const midnight = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day);

/** Milliseconds since the epoch at the start of the day in UTC. */
function readDate(text: string): number | null {
  const calendar = calendarDate.exec(text);
  if (calendar) {
    const [year, month, day] = numbers(calendar);
    const start = midnight(year, month - 1, day);
    return new Date(start).getUTCMonth() === month - 1 && day > 0 ? start : null;
  }
  const ordinal = ordinalDate.exec(text);
  if (ordinal) {
    const [year, day] = numbers(ordinal);
    const start = midnight(year, 0, day);
    return new Date(start).getUTCFullYear() === year && day > 0 ? start : null;
  }
  const week = weekDate.exec(text);
  return week ? readWeek(...numbers(week)) : null;
}

/** ISO 8601: week 1 contains 4 January; a year has 52 or 53 weeks. */
function readWeek(year: number, week: number, day: number): number | null {
  const mondayOfWeekOne = (of: number): number => {
    const fourth = midnight(of, 0, 4);
    return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
  };
  const monday = mondayOfWeekOne(year) + (week - 1) * 7 * dayMs;
  const exists = week >= 1 && monday < mondayOfWeekOne(year + 1);
  return exists ? monday + (day - 1) * dayMs : null;
}

/** Milliseconds since the start of the day; a leap second (:60) is the end of its minute. */
function readTime(text: string): number | null {
  const match = timeOfDay.exec(text);
  if (!match) return null;
  const [hour, minute, second] = numbers(match);
  const ms = Math.floor(Number(`0.${match[4] ?? 0}`) * 1_000);
  const ofDay = ((hour * 60 + minute) * 60 + second) * 1_000 + ms;
  if (minute > 59 || second > 60 || ofDay > dayMs) return null;
  return ofDay;
}

/** Milliseconds by which the zone is ahead of UTC. */
function readOffset(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const numbers = (match: RegExpExecArray): [number, number, number] => [
  Number(match[1] ?? 0),
  Number(match[2] ?? 0),
  Number(match[3] ?? 0),
];
