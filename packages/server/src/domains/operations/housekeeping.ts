import { maintain } from '../../engine/index.ts';
import { trimEvents } from '../../work/outbox.ts';
import { trimOutcomes } from '../../work/outcomes.ts';
import { trimJobs } from '../../work/queue.ts';
import type { RunningJob } from '../../work/worker.ts';
import type { App } from '../ctx.ts';

export const housekeepingKind = 'operations.housekeeping';

const dayMs = 86_400_000;
const eventDays = 30;
const jobDays = 7;
const hourMs = 3_600_000;
const ownJobHours = 2;
const stepRows = 500;

/** Job: forgets what has served its time, in small steps. */
export async function housekeep(app: App, job: RunningJob): Promise<void> {
  const now = app.clock.now().getTime();
  const { db } = app.engine;
  while ((await trimEvents(db, new Date(now - eventDays * dayMs), stepRows)) === stepRows) {
    await job.progress(0.3);
  }
  await trimOutcomes(db, new Date(now - dayMs));
  await trimJobs(db, {
    accounts: new Date(now - jobDays * dayMs),
    own: new Date(now - ownJobHours * hourMs),
  });
}

export const maintenanceKind = 'operations.maintenance';

/** Job: what a PostgreSQL server does by itself, and the embedded database does not. */
export async function maintainDatabase(app: App): Promise<void> {
  await maintain(app.engine, app);
}
