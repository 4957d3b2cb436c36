import type { Db } from '../../../database/index.ts';
import { countStuckJobs, type StuckJobs } from '../../../jobs/stuck-jobs.ts';
import type { CheckResult, Problem } from './report.ts';

/** Jobs that nobody runs: due for long, failed for good, or left by a process that is gone. */
export async function checkJobs(db: Db, now: Date): Promise<CheckResult> {
  const all = await countStuckJobs(db, now);
  const problems = (['due', 'abandoned', 'failed'] as const).flatMap((state) => {
    const stuck = all.filter((one) => one.state === state);
    return stuck.length === 0 ? [] : [describers[state](stuck)];
  });
  return { problems };
}

const describers: Readonly<Record<StuckJobs['state'], (stuck: readonly StuckJobs[]) => Problem>> = {
  due: (stuck) => ({
    kind: 'jobs_due',
    severity: 'warning',
    message: `Jobs have waited since ${oldest(stuck)}: ${listed(stuck)}.`,
    action:
      'Start the server: it takes due jobs within a second. If it runs, look in its log for ' +
      'errors of the job queue.',
  }),
  abandoned: (stuck) => ({
    kind: 'jobs_abandoned',
    severity: 'warning',
    message: `Processes that are gone hold jobs since ${oldest(stuck)}: ${listed(stuck)}.`,
    action: 'Start the server: it takes them over, and goes on where they were.',
  }),
  failed: (stuck) => ({
    kind: 'jobs_failed',
    severity: 'warning',
    message: `Jobs failed for good in the last 24 hours: ${listed(stuck)}.`,
    action: 'Look in the log for "a job failed": each line has the job and the reason.',
  }),
};

const listed = (stuck: readonly StuckJobs[]): string =>
  stuck.map(({ kind, count }) => `${count} ${kind}`).join(', ');

const oldest = (stuck: readonly StuckJobs[]): string =>
  stuck.map(({ since }) => since.toISOString()).sort()[0] ?? '';
