import { runAutovacuum, vacuumStaleTables } from '../../database/index.ts';
import { canHaveBacklog } from '../../events/delivery-pause.ts';
import { pruneEvents } from '../../events/outbox.ts';
import { pruneErasures } from '../../instance/erasure-ledger.ts';
import { pruneStoredResponses } from '../../instance/idempotency-store.ts';
import { pruneJobs } from '../../jobs/job-queue.ts';
import { type RunningJob, requeue } from '../../jobs/job-worker.ts';
import { AdaptiveBatch } from '../../kernel/adaptive-batch.ts';
import { pruneCounters } from '../accounts/index.ts';
import { pruneRuns } from '../clusters/index.ts';
import type { App } from '../ctx.ts';
import { pruneOutbound } from '../email/index.ts';
import { pruneDeliveries } from '../webhooks/index.ts';

export const housekeepingKind = 'operations.housekeeping';

const dayMs = 86_400_000;
const eventDays = 30;
const jobDays = 7;
const hourMs = 3_600_000;
const ownJobHours = 2;

/** Job: forgets what has served its time, in small steps. */
export async function runHousekeeping(
  app: App,
  job: RunningJob,
): Promise<typeof requeue | undefined> {
  const { clock, config, engine } = app;
  const now = clock.now().getTime();
  const events = new Date(now - eventDays * dayMs);
  const outcomes = new Date(now - dayMs);
  const erasures = new Date(now - config.erasuresKeptDays * dayMs);
  const jobs = {
    accounts: new Date(now - jobDays * dayMs),
    own: new Date(now - ownJobHours * hourMs),
  };
  const pace = new AdaptiveBatch(clock);
  const keepsEvents = await canHaveBacklog(engine.db, clock.now());
  for (const trim of [
    async (rows: number) => (keepsEvents ? 0 : pruneEvents(engine.db, events, rows)),
    (rows: number) => pruneStoredResponses(engine.db, outcomes, rows),
    (rows: number) => pruneJobs(engine.db, jobs, rows),
    (rows: number) => pruneRuns(app, events, rows),
    (rows: number) => pruneErasures(engine.db, erasures, rows),
  ]) {
    while (await pace.run(async (rows) => (await trim(rows)) === rows)) {
      if (job.shouldYield()) return requeue;
    }
  }
  await vacuumStaleTables(engine, new Date(now - dayMs), () => job.shouldYield());
  await pruneCounters(app);
  await pruneDeliveries(app, () => job.saveProgress(0.6));
  await pruneOutbound(app, () => job.saveProgress(0.8));
  return undefined;
}

const maintenanceMs = 5_000;

/**
 * What the embedded database does not do automatically, and a PostgreSQL server too late for a new
 * table: statistics and dead rows. Checked every few seconds, since without statistics of a table
 * that grew the planner reads whole accounts. Not a job: each process does it for itself.
 */
export function startDatabaseMaintenance(app: App): void {
  let timer: Disposable | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const plan = (): void => {
    timer = app.clock.after(maintenanceMs, () => {
      // It makes room, but takes some first.
      const maintained = app.engine.isDiskFull ? Promise.resolve() : runAutovacuum(app.engine, app);
      turn = maintained
        .catch((error: unknown) => app.log.warn({ err: error }, 'maintenance failed'))
        .finally(plan);
    });
  };
  plan();
  app.disposables.defer(async () => {
    timer?.[Symbol.dispose]();
    await turn;
    timer?.[Symbol.dispose]();
  });
}
