import type { Db } from '../../../database/index.ts';
import { readPausedQueues } from '../../../jobs/job-queues.ts';
import { countStuckJobs, type StuckJobs } from '../../../jobs/stuck-jobs.ts';
import { describePausedQueues } from '../paused-queues.ts';
import type { CheckResult, Problem } from './report.ts';

/** Jobs that do not run: long overdue, failed permanently, or leased by a dead process. */
export async function checkJobs(db: Db, now: Date): Promise<CheckResult> {
  const all = await countStuckJobs(db, now);
  const paused = await readPausedQueues(db);
  const problems = (['due', 'abandoned', 'failed'] as const).flatMap((state) => {
    const stuck = all.filter((job) => job.state === state);
    return stuck.length === 0 ? [] : [describers[state](stuck, paused)];
  });
  return { problems };
}

/** Pauses are no finding, but they are reported. */
export async function checkPausedQueues(db: Db): Promise<CheckResult> {
  const detail = describePausedQueues(await readPausedQueues(db));
  return detail === undefined ? {} : { detail };
}

type Describe = (stuck: readonly StuckJobs[], paused: ReadonlyMap<string, Date>) => Problem;

const describers: Readonly<Record<StuckJobs['state'], Describe>> = {
  due: (stuck, paused) => ({
    kind: 'jobs_due',
    severity: 'warning',
    message: `Jobs have been due since ${oldest(stuck)}: ${listed(stuck)}.`,
    action:
      'Start the server: it runs due jobs within a second. If it is running, ' +
      (paused.size === 0
        ? 'check its log for errors of the job queue.'
        : `resume their queue, if it is paused (${[...paused.keys()].sort().join(', ')}); ` +
          'otherwise check its log for errors of the job queue.'),
  }),
  abandoned: (stuck) => ({
    kind: 'jobs_abandoned',
    severity: 'warning',
    message: `Jobs have been leased by dead processes since ${oldest(stuck)}: ${listed(stuck)}.`,
    action: 'Start the server: it takes over the jobs and continues them.',
  }),
  failed: (stuck) => ({
    kind: 'jobs_failed',
    severity: 'warning',
    message: `Jobs failed permanently in the last 24 hours: ${listed(stuck)}.`,
    action: 'Search the log for "job failed": each line has the job and the reason.',
  }),
};

const listed = (stuck: readonly StuckJobs[]): string =>
  stuck.map(({ kind, count }) => `${count} ${kind}`).join(', ');

const oldest = (stuck: readonly StuckJobs[]): string =>
  stuck.map(({ since }) => since.toISOString()).sort()[0] ?? '';
