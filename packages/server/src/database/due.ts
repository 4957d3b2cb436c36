import { type RawBuilder, sql } from 'kysely';

const hourMs = 3_600_000;

/** Upper limit of a lease, including the clock difference between two processes. */
const leaseMsMax = hourMs;

/**
 * Whether a time has passed, or is more than `waitMsMax` (the longest planned wait) in the future.
 * In the second case it was set by a clock that was ahead, and would otherwise delay the work until
 * then.
 */
export const isDue = (column: string, now: Date, waitMsMax: number): RawBuilder<boolean> => {
  const time = sql.ref(column);
  const beyond = new Date(now.getTime() + waitMsMax);
  return sql<boolean>`(${time} <= ${now}::timestamptz or ${time} > ${beyond}::timestamptz)`;
};

/** Whether a lease is absent, expired, or was set by a clock that was ahead. */
export const isLeaseExpired = (column: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} is null or ${isDue(column, now, leaseMsMax)})`;
