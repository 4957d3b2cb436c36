import { Temporal } from 'temporal-polyfill';

/** When a digest is due, in local time of its zone. */
export interface DigestSchedule {
  readonly schedule_type: 'daily' | 'weekly' | 'monthly';
  /** An IANA name. */
  readonly timezone: string;
  readonly hour: number;
  /** 1: Monday. */
  readonly weekday: number;
  /** In a shorter month: its last day. */
  readonly day: number;
}

const daysOfWeek = 7;

/**
 * The next time after `after` at which the schedule is due in its zone. An hour that daylight
 * saving time skips is moved past the gap; of a repeated hour, the first counts (Temporal's
 * `compatible`, RFC 5545 3.3.5).
 */
export function nextDigestTime(schedule: DigestSchedule, after: Date): Date {
  const afterMs = after.getTime();
  const { timezone: timeZone, hour } = schedule;
  const zonedAfter = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(timeZone);
  const plainTime = Temporal.PlainTime.from({ hour });
  for (let step = 0; ; step += 1) {
    const date = candidateDate(schedule, zonedAfter.toPlainDate(), step);
    const at = date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
    if (at > afterMs) return new Date(at);
  }
}

/** The dates of the schedule, starting one period before `from`. */
function candidateDate(
  { schedule_type, weekday, day }: DigestSchedule,
  from: Temporal.PlainDate,
  step: number,
): Temporal.PlainDate {
  if (schedule_type === 'daily') return from.add({ days: step - 1 });
  if (schedule_type === 'weekly') {
    const daysAhead = (weekday - from.dayOfWeek + daysOfWeek) % daysOfWeek;
    return from.add({ days: daysAhead + daysOfWeek * (step - 1) });
  }
  const { year, month } = from.with({ day: 1 }).add({ months: step - 1 });
  return Temporal.PlainDate.from({ year, month, day }, { overflow: 'constrain' });
}

/** The end of the last completed period, at `due` or later, and the end of the next one. */
export function lastElapsedPeriod(
  schedule: DigestSchedule,
  due: Date,
  now: Date,
): { last: Date; next: Date } {
  let last = due;
  for (;;) {
    const next = nextDigestTime(schedule, last);
    if (next > now) return { last, next };
    last = next;
  }
}
