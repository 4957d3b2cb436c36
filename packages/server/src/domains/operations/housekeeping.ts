import { maintain, vacuumSince } from '../../engine/index.ts';
import { Pace } from '../../kernel/pace.ts';
import { mayHaveBacklog } from '../../work/delivery-pause.ts';
import { trimErasures } from '../../work/erasures.ts';
import { trimEvents } from '../../work/outbox.ts';
import { trimOutcomes } from '../../work/outcomes.ts';
import { trimJobs } from '../../work/queue.ts';
import { again, type RunningJob } from '../../work/worker.ts';
import { trimCounters } from '../accounts/index.ts';
import { trimRuns } from '../clusters/index.ts';
import type { App } from '../ctx.ts';
import { trimOutbound } from '../email/index.ts';
import { trimDeliveries } from '../webhooks/index.ts';

export const housekeepingKind = 'operations.housekeeping';

const dayMs = 86_400_000;
const eventDays = 30;
const jobDays = 7;
const hourMs = 3_600_000;
const ownJobHours = 2;

/** Job: forgets what has served its time, in small steps. */
export async function housekeep(app: App, job: RunningJob): Promise<typeof again | undefined> {
  const { clock, config, engine } = app;
  const now = clock.now().getTime();
  const events = new Date(now - eventDays * dayMs);
  const outcomes = new Date(now - dayMs);
  const erasures = new Date(now - config.erasuresKeptDays * dayMs);
  const jobs = {
    accounts: new Date(now - jobDays * dayMs),
    own: new Date(now - ownJobHours * hourMs),
  };
  const pace = new Pace(clock);
  const keepsEvents = await mayHaveBacklog(engine.db, clock.now());
  for (const trim of [
    async (rows: number) => (keepsEvents ? 0 : trimEvents(engine.db, events, rows)),
    (rows: number) => trimOutcomes(engine.db, outcomes, rows),
    (rows: number) => trimJobs(engine.db, jobs, rows),
    (rows: number) => trimRuns(app, events, rows),
    (rows: number) => trimErasures(engine.db, erasures, rows),
  ]) {
    while (await pace.step(async (rows) => (await trim(rows)) === rows)) {
      if (job.turnIsOver()) return again;
    }
  }
  await vacuumSince(engine, new Date(now - dayMs), () => job.turnIsOver());
  await trimCounters(app);
  await trimDeliveries(app, () => job.progress(0.6));
  await trimOutbound(app, () => job.progress(0.8));
  return undefined;
}

const maintenanceMs = 5_000;

/**
 * What the embedded database does not do automatically, and a PostgreSQL server too late for a new
 * table: statistics and dead rows. Checked every few seconds, since without statistics of a table
 * that grew the planner reads whole accounts. Not a job: each process does it for itself.
 */
export function keepMaintained(app: App): void {
  let timer: Disposable | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const plan = (): void => {
    timer = app.clock.after(maintenanceMs, () => {
      // It makes room, but takes some first.
      const maintained = app.engine.lacksRoom ? Promise.resolve() : maintain(app.engine, app);
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
