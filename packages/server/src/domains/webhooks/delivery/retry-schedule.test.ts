import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs, retryDelayMs } from './retry-schedule.ts';

const now = new Date('2026-01-02T03:04:05.000Z');
const middle = 0.5;
const minutes = (form: 'standard' | 'short', attempts: number): number =>
  retryDelayMs({ retry_schedule: form, retry_delay_seconds: 60 }, attempts, middle, null) / 60_000;

describe('retryDelayMs', () => {
  it('follows the standard schedule and repeats its last delay', () => {
    expect([1, 2, 3, 4, 5, 6, 10].map((n) => minutes('standard', n))).toEqual([
      1, 5, 30, 120, 1_440, 1_440, 1_440,
    ]);
  });

  it('follows the short schedule if selected', () => {
    expect([1, 2, 3, 4, 5, 6, 10].map((n) => minutes('short', n))).toEqual([
      1, 5, 30, 120, 480, 480, 480,
    ]);
  });

  it('varies by at most a tenth in both directions, in units of the configured delay', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 3_600 }),
        fc.integer({ min: 1, max: 11 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (seconds, attempts, fraction) => {
          const schedule = { retry_schedule: 'standard', retry_delay_seconds: seconds } as const;
          const middleMs = retryDelayMs(schedule, attempts, middle, null);
          const ms = retryDelayMs(schedule, attempts, fraction, null);
          expect(ms).toBeGreaterThanOrEqual(Math.floor(middleMs * 0.9));
          expect(ms).toBeLessThanOrEqual(Math.ceil(middleMs * 1.1));
        },
      ),
    );
    const bounds = [0, 0.999_999].map((fraction) =>
      retryDelayMs({ retry_schedule: 'short', retry_delay_seconds: 60 }, 1, fraction, null),
    );
    expect(bounds).toEqual([54_000, 66_000]);
  });

  it('extends the delay to Retry-After, up to one day, and never shortens it', () => {
    const schedule = { retry_schedule: 'standard', retry_delay_seconds: 60 } as const;
    expect(retryDelayMs(schedule, 1, middle, 90_000)).toBe(90_000);
    expect(retryDelayMs(schedule, 1, middle, 1_000)).toBe(60_000);
    expect(retryDelayMs(schedule, 1, middle, 9e11)).toBe(86_400_000);
  });

  it.each([
    [429, '120', 120_000],
    [503, ' 7 ', 7_000],
    [503, 'Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    [503, 'Fri, 02 Jan 2026 03:00:05 GMT', 0],
    [500, '120', null],
    [200, '120', null],
    [429, undefined, null],
    [429, '-5', null],
    [429, 'soon', null],
    [429, '1e9', null],
    [429, '99999999999', null],
  ])('parses for status %s the Retry-After %s as %s', (status, header, ms) => {
    expect(parseRetryAfterMs(status, header, now)).toBe(ms);
  });
});
