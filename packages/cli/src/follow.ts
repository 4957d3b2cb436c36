import type { Context } from './context.ts';
import { Fault, isPassing } from './faults.ts';

interface Job {
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
}

const pauseMs = 500;
/** A service that is started anew goes on with its jobs. */
const lostMsMax = 120_000;

/**
 * Asks for a job again and again until it has ended, and shows how far it is. Throws Fault when
 * it has failed, and what `read` throws; a service that is away or too busy is waited for.
 */
export async function follow<T extends Job>(
  context: Context,
  read: () => Promise<T>,
  show: { readonly label: (job: T) => string; readonly isQuiet: boolean },
): Promise<T> {
  const progress = context.progress();
  let answeredMs = context.monotonicMs();
  try {
    for (;;) {
      const job = await readOrWait(read, () => context.monotonicMs() - answeredMs < lostMsMax);
      if (job) {
        answeredMs = context.monotonicMs();
        if (!show.isQuiet) progress.update(job.progress, show.label(job));
        if (job.status === 'completed') return job;
        if (job.status === 'failed' || job.status === 'cancelled') {
          throw new Fault('job_failed', job.error ?? 'The job has failed; the log has the reason.');
        }
      }
      await context.sleep(pauseMs);
    }
  } finally {
    progress.end();
  }
}

async function readOrWait<T>(read: () => Promise<T>, mayWait: () => boolean): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isPassing(error) && mayWait()) return null;
    throw error;
  }
}
