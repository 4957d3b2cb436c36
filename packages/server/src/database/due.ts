import { type RawBuilder, sql } from 'kysely';

const hourMs = 3_600_000;

/** No lease lasts longer, whatever the clocks of two processes differ by. */
const leaseMsMax = hourMs;

/**
 * Whether a time has come, or was set by a clock that was ahead: it is further away than anything
 * is ever planned (`waitMsMax`). Otherwise what such a clock planned would wait until its time.
 */
export const isDue = (column: string, now: Date, waitMsMax: number): RawBuilder<boolean> => {
  const time = sql.ref(column);
  const beyond = new Date(now.getTime() + waitMsMax);
  return sql<boolean>`(${time} <= ${now}::timestamptz or ${time} > ${beyond}::timestamptz)`;
};

/** Whether nobody holds a lease any more: there is none, it is over, or its clock was ahead. */
export const isLeaseExpired = (column: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} is null or ${isDue(column, now, leaseMsMax)})`;
