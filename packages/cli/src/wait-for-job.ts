import type { Context } from './context.ts';
import { CliError, isTransientError } from './errors.ts';

interface Job {
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
}

const pollIntervalMs = 500;
/** A service that is started anew goes on with its jobs. */
const unreachableMsMax = 120_000;

/**
 * Asks for a job again and again until it has ended, and shows how far it is. Throws Fault when
 * it has failed, and what `read` throws; a service that is away or too busy is waited for.
 */
export async function waitForJob<T extends Job>(
  context: Context,
  read: () => Promise<T>,
  show: { readonly label: (job: T) => string; readonly isQuiet: boolean },
): Promise<T> {
  const progress = context.progress();
  let answeredMs = context.monotonicMs();
  try {
    for (;;) {
      const job = await readOrIgnoreTransient(
        read,
        () => context.monotonicMs() - answeredMs < unreachableMsMax,
      );
      if (job) {
        answeredMs = context.monotonicMs();
        if (!show.isQuiet) progress.update(job.progress, show.label(job));
        if (job.status === 'completed') return job;
        if (job.status === 'failed' || job.status === 'cancelled') {
          throw new CliError(
            'job_failed',
            job.error ?? 'The job has failed; the log has the reason.',
          );
        }
      }
      await context.sleep(pollIntervalMs);
    }
  } finally {
    progress.end();
  }
}

async function readOrIgnoreTransient<T>(
  read: () => Promise<T>,
  mayWait: () => boolean,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isTransientError(error) && mayWait()) return null;
    throw error;
  }
}
