import type { CallRecord } from './keep-alive-client.ts';

const minuteMs = 60_000;

/** What one of the limited accounts was answered. */
export interface AccountCallRecord extends CallRecord {
  readonly account: number;
}

/** The first full minute of the wall's clock that is at least so far away, in ms since 1970. */
export const nextFullMinute = (nowMs: number, leadMs: number): number =>
  Math.ceil((nowMs + leadMs) / minuteMs) * minuteMs;

/** The ends, in seconds since 1970, of the minutes that lie wholly between two moments. */
export function fullMinutes(fromMs: number, untilMs: number): number[] {
  const ends: number[] = [];
  for (let end = nextFullMinute(fromMs, 0) + minuteMs; end <= untilMs; end += minuteMs) {
    ends.push(end / 1_000);
  }
  return ends;
}

/** Successes for each account and minute; whose minute it was is told by the answer itself. */
export function countSuccesses(
  minuteEnds: readonly number[],
  accounts: number,
  answers: readonly AccountCallRecord[],
): number[] {
  const counts = new Map<string, number>();
  for (const { account, status, resetSeconds } of answers) {
    if (status === 429) continue;
    const key = `${account} ${resetSeconds}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return minuteEnds.flatMap((end) =>
    Array.from({ length: accounts }, (_, account) => counts.get(`${account} ${end}`) ?? 0),
  );
}
