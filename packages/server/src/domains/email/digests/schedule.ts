import { Temporal } from 'temporal-polyfill';

/** When a digest is due, by the clocks of its zone. */
export interface DigestSchedule {
  readonly schedule_type: 'daily' | 'weekly' | 'monthly';
  /** An IANA name. */
  readonly timezone: string;
  readonly hour: number;
  /** 1: Monday. */
  readonly weekday: number;
  /** In a month that has no such day: its last. */
  readonly day: number;
}

const daysOfWeek = 7;

/**
 * The first moment after another at which the clocks of the zone show the hour on such a day.
 * An hour that a day leaves out is told when the clocks have been moved past it; of one that
 * comes twice, the first counts (Temporal's `compatible`, RFC 5545 3.3.5).
 */
export function nextRun(schedule: DigestSchedule, after: Date): Date {
  const afterMs = after.getTime();
  const { timezone: timeZone, hour } = schedule;
  const here = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(timeZone);
  const plainTime = Temporal.PlainTime.from({ hour });
  for (let step = 0; ; step += 1) {
    const date = candidateDate(schedule, here.toPlainDate(), step);
    const at = date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
    if (at > afterMs) return new Date(at);
  }
}

/** The dates of the schedule from a period before a date on. */
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

/** The end of the last period that is over, which was due at `due` or later; and the next one. */
export function lastElapsedPeriod(
  schedule: DigestSchedule,
  due: Date,
  now: Date,
): { last: Date; next: Date } {
  let last = due;
  for (;;) {
    const next = nextRun(schedule, last);
    if (next > now) return { last, next };
    last = next;
  }
}
