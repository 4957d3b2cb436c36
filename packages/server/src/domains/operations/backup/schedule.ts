import { Cron } from 'croner';

/**
 * The last time of a cron expression (five fields, in UTC) at or before `now`; null if it is not
 * after `after`.
 */
export function lastScheduledTime(expression: string, after: Date, now: Date): Date | null {
  const cron = new Cron(expression, { paused: true, timezone: 'UTC', mode: '5-part' });
  // previousRuns excludes the instant itself.
  const [last] = cron.previousRuns(1, new Date(now.getTime() + 1_000));
  return last && last > after && last <= now ? last : null;
}

/** The next time after `now`; null if there is none. */
export const nextScheduledTime = (expression: string, now: Date): Date | null =>
  new Cron(expression, { paused: true, timezone: 'UTC', mode: '5-part' }).nextRun(now);
