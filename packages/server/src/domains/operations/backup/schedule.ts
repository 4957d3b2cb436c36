import { Cron } from 'croner';

/**
 * The last time at or before `now` that a cron expression names (five fields, in UTC); null where
 * there is none after `after`.
 */
export function lastScheduledTime(expression: string, after: Date, now: Date): Date | null {
  const cron = new Cron(expression, { paused: true, timezone: 'UTC', mode: '5-part' });
  // The times before an instant leave out the instant itself.
  const [last] = cron.previousRuns(1, new Date(now.getTime() + 1_000));
  return last && last > after && last <= now ? last : null;
}

/** The next time after `now`; null where the expression names none. */
export const nextScheduledTime = (expression: string, now: Date): Date | null =>
  new Cron(expression, { paused: true, timezone: 'UTC', mode: '5-part' }).nextRun(now);
