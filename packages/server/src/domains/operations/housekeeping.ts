import { runAutovacuum, SharedPoller, vacuumStaleTables } from '../../database/index.ts';
import { canHaveEventBacklog } from '../../events/delivery-pause.ts';
import { pruneEvents } from '../../events/outbox.ts';
import { pruneErasures } from '../../instance/erasure-ledger.ts';
import { pruneStoredResponses } from '../../instance/idempotency-store.ts';
import { pruneJobs } from '../../jobs/job-queue.ts';
import { type RunningJob, requeueResult } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { pruneCounters } from '../accounts/index.ts';
import { pruneRuns } from '../clusters/index.ts';
import type { App } from '../ctx.ts';
import { pruneOutboundMails } from '../email/index.ts';
import { pruneOAuth } from '../oauth/index.ts';
import { pruneDeliveries } from '../webhooks/index.ts';

export const housekeepingKind = 'operations.housekeeping';

const dayMs = 86_400_000;
const eventDays = 30;
const jobDays = 7;
const hourMs = 3_600_000;
const ownJobHours = 2;

/** Job: deletes expired data, in small steps. */
export async function runHousekeeping(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  const { clock, config, engine } = app;
  const now = clock.now().getTime();
  const events = new Date(now - eventDays * dayMs);
  const storedResponses = new Date(now - dayMs);
  const erasures = new Date(now - config.erasuresKeptDays * dayMs);
  const jobs = {
    accounts: new Date(now - jobDays * dayMs),
    own: new Date(now - ownJobHours * hourMs),
  };
  const adaptiveBatch = new AdaptiveBatchSize(clock);
  const hasBacklog = await canHaveEventBacklog(engine.db, clock.now());
  for (const prune of [
    async (rows: number) => (hasBacklog ? 0 : pruneEvents(engine.db, events, rows)),
    (rows: number) => pruneStoredResponses(engine.db, storedResponses, rows),
    (rows: number) => pruneJobs(engine.db, jobs, rows),
    (rows: number) => pruneRuns(app, events, rows),
    (rows: number) => pruneErasures(engine.db, erasures, rows),
  ]) {
    while (await adaptiveBatch.run(async (rows) => (await prune(rows)) >= rows)) {
      if (job.shouldYield()) return requeueResult;
    }
  }
  await vacuumStaleTables(engine, new Date(now - dayMs), () => job.shouldYield());
  await pruneCounters(app);
  await pruneOAuth(app);
  await pruneDeliveries(app, () => job.saveProgress(0.6));
  await pruneOutboundMails(app, () => job.saveProgress(0.8));
  return undefined;
}

const maintenanceMs = 5_000;

/**
 * Updates statistics and removes dead rows, which the embedded database does not do automatically,
 * and a PostgreSQL server too late for a new table. Runs every few seconds, because without
 * statistics of a grown table the planner scans whole accounts. Not a job: jobs may wait.
 */
export function startDatabaseMaintenance(app: App): void {
  const poller = new SharedPoller(app, {
    topic: 'database-maintenance',
    intervalMs: maintenanceMs,
    poll: async () => {
      // Vacuuming frees space, but first needs some.
      if (app.engine.isDiskFull) return;
      await runAutovacuum(app.engine, app).catch((error: unknown) =>
        app.log.warn({ err: error }, 'database maintenance failed'),
      );
    },
  });
  poller.start();
  app.disposables.defer(() => poller.stop());
}
