import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DigestSchedule, lastElapsedPeriod, nextRun } from './schedule.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const firstMs = Date.UTC(2024, 0, 1);
const days = 731;

/** Of a zone and an hour: from which day on the clocks are ahead of UTC by so many minutes. */
type Table = Record<string, Record<string, [day: string, minutes: number][]>>;

/** Made by fixtures/offsets.py, from another implementation of the zones. */
const table = JSON.parse(
  readFileSync(new URL('./fixtures/offsets.json', import.meta.url), 'utf8'),
) as Table;

/** The days of both years on which such a digest is due, by the calendar alone. */
function daysOf({ schedule_type, weekday, day }: DigestSchedule): Date[] {
  const all = Array.from({ length: days }, (_, i) => new Date(firstMs + i * dayMs));
  return all.filter((date) => {
    if (schedule_type === 'daily') return true;
    if (schedule_type === 'weekly') return (date.getUTCDay() || 7) === weekday;
    const lastOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
    return date.getUTCDate() === Math.min(day, lastOfMonth.getUTCDate());
  });
}

/** When it is due in both years, as the table has it. */
function expectedRuns(schedule: DigestSchedule): string[] {
  const changes = table[schedule.timezone]?.[schedule.hour] ?? [];
  return daysOf(schedule).map((date) => {
    const [, minutes = Number.NaN] =
      changes.findLast(([from]) => from <= date.toISOString().slice(0, 10)) ?? [];
    const ms = date.getTime() + schedule.hour * hourMs - minutes * minuteMs;
    return new Date(ms).toISOString();
  });
}

/** As many runs from a moment on. */
function runsFrom(schedule: DigestSchedule, begin: Date, count: number): string[] {
  const runs: string[] = [];
  for (let at = begin; runs.length < count; ) {
    at = nextRun(schedule, at);
    runs.push(at.toISOString());
  }
  return runs;
}

const cases = Object.entries(table).flatMap(([timezone, hours]) =>
  Object.keys(hours).map((hour) => ({ timezone, hour: Number(hour) })),
);

describe('the schedule of digests over two years', () => {
  it('is looked at in 12 zones', () => {
    expect(Object.keys(table)).toHaveLength(12);
  });

  const kinds = [
    { schedule_type: 'daily', weekday: 1, day: 1 },
    { schedule_type: 'weekly', weekday: 7, day: 1 },
    { schedule_type: 'weekly', weekday: 1, day: 1 },
    { schedule_type: 'monthly', weekday: 1, day: 1 },
    { schedule_type: 'monthly', weekday: 1, day: 31 },
  ] as const;
  it.each(cases)('equals the table at $hour in $timezone', (place) => {
    for (const kind of kinds) {
      const schedule = { ...kind, ...place };
      const expected = expectedRuns(schedule);
      expect(expected.length).toBeGreaterThanOrEqual(24);
      const begin = new Date(Date.parse(expected[0] ?? '') - 1);
      expect(runsFrom(schedule, begin, expected.length)).toEqual(expected);
    }
  });
});

describe('when a digest is due', () => {
  const vienna = { schedule_type: 'daily', timezone: 'Europe/Vienna', weekday: 1, day: 1 } as const;
  const runFrom = (hour: number, after: string): string =>
    nextRun({ ...vienna, hour }, new Date(after)).toISOString();

  it('is after the moment that is asked about, not at it', () => {
    expect(runFrom(8, '2026-01-10T07:00:00.000Z')).toBe('2026-01-11T07:00:00.000Z');
    expect(runFrom(8, '2026-01-10T06:59:59.999Z')).toBe('2026-01-10T07:00:00.000Z');
  });

  it('is once on the day whose hour the clocks leave out, and on the one that has it twice', () => {
    expect(runFrom(2, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(runFrom(2, '2026-03-29T01:00:00Z')).toBe('2026-03-30T00:00:00.000Z');
    expect(runFrom(2, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z');
    expect(runFrom(2, '2026-10-25T00:00:00Z')).toBe('2026-10-26T01:00:00.000Z');
  });

  it('is the last day of a month that has no such day', () => {
    const monthly = { ...vienna, schedule_type: 'monthly', day: 31, hour: 0 } as const;
    const runs = ['2028-02-01T12:00:00Z', '2028-03-01T12:00:00Z', '2028-04-01T12:00:00Z'].map(
      (after) => nextRun(monthly, new Date(after)).toISOString(),
    );
    expect(runs).toEqual([
      '2028-02-28T23:00:00.000Z',
      '2028-03-30T22:00:00.000Z',
      '2028-04-29T22:00:00.000Z',
    ]);
  });

  it('periods that were missed end with the last that is over', () => {
    const daily = { ...vienna, hour: 8 };
    const due = new Date('2026-01-10T07:00:00Z');
    const over = (now: string) => lastElapsedPeriod(daily, due, new Date(now));
    expect(over('2026-01-10T07:00:30Z')).toEqual({
      last: due,
      next: new Date('2026-01-11T07:00:00Z'),
    });
    expect(over('2026-01-13T07:00:00Z')).toEqual({
      last: new Date('2026-01-13T07:00:00Z'),
      next: new Date('2026-01-14T07:00:00Z'),
    });
  });
});
