import type { App } from '../ctx.ts';
import { dayOf } from './model.ts';
import { pruneRateLimitWindows } from './store/rate-limits.ts';
import { pruneTokens } from './store/tokens.ts';
import { pruneUsageDays } from './store/usage.ts';

const keptDaysMs = 2 * 86_400_000;
/** Longer than a lease, because the clocks of two processes may differ. */
const keptSlotsMs = 3_600_000;
const keptTokensMs = 3_600_000;

/** Deletes expired rate limit windows, slots and session tokens, and usage of past days. */
export async function pruneCounters(app: App): Promise<void> {
  const now = app.clock.now();
  await pruneRateLimitWindows(app.engine.db, new Date(now.getTime() - keptSlotsMs));
  await pruneTokens(app.engine.db, new Date(now.getTime() - keptTokensMs));
  await pruneUsageDays(app.engine.db, dayOf(new Date(now.getTime() - keptDaysMs)));
}
