const minute = 60;
const hour = 3_600;
/** Delays after each failed attempt, two days in total. */
const delaysSeconds = [
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
] as const;
const jitterShare = 0.1;

/** The time of the next attempt with ±10 % jitter; null after the last. */
export function nextAttemptTime(attempts: number, now: Date, fraction: number): Date | null {
  const delay = delaysSeconds[attempts - 1];
  if (delay === undefined) return null;
  const share = 1 + jitterShare * (2 * fraction - 1);
  return new Date(now.getTime() + delay * share * 1_000);
}
