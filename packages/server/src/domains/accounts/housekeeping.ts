import type { App } from '../ctx.ts';
import { dayOf } from './model.ts';
import { trimWindows } from './store/limits.ts';
import { trimTokens } from './store/tokens.ts';
import { trimUsageDays } from './store/usage.ts';

const keptDaysMs = 2 * 86_400_000;
/** More than their time, since the clocks of two processes may differ. */
const keptSlotsMs = 3_600_000;
const keptTokensMs = 3_600_000;

/** Deletes windows and days that nothing counts toward any more, and expired session tokens. */
export async function trimCounters(app: App): Promise<void> {
  const now = app.clock.now();
  await trimWindows(app.engine.db, new Date(now.getTime() - keptSlotsMs));
  await trimTokens(app.engine.db, new Date(now.getTime() - keptTokensMs));
  await trimUsageDays(app.engine.db, dayOf(new Date(now.getTime() - keptDaysMs)));
}
