import { type WaitingReason, waitingReasons } from '@mneme/contract/waiting-reasons';
import type { CommandContext } from './context.ts';
import { CliError, isTransientError } from './errors.ts';

interface Job {
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
  /** Absent from servers before it. */
  readonly waiting_reason?: WaitingReason | null;
}

const pollIntervalMs = 500;
/** The service continues its jobs after a restart. */
const unreachableMsMax = 120_000;

/**
 * Polls a job until it has ended and shows its progress, and why it waits. Retries for up to two
 * minutes while the service is unreachable or overloaded. Throws CliError `job_failed`, and errors
 * of `read`.
 */
export async function waitForJob<T extends Job>(
  context: CommandContext,
  read: () => Promise<T>,
  show: { readonly label: (job: T) => string; readonly isQuiet: boolean },
): Promise<T> {
  const progress = context.progress();
  let lastResponseMs = context.monotonicMs();
  let lastReason: WaitingReason | null = null;
  try {
    for (;;) {
      const job = await readOrIgnoreTransient(
        read,
        () => context.monotonicMs() - lastResponseMs < unreachableMsMax,
      );
      if (job) {
        lastResponseMs = context.monotonicMs();
        const reason: WaitingReason | null = job.waiting_reason ?? null;
        if (reason !== null && reason !== lastReason) {
          progress.end();
          context.writeStderrLine(waitingReasons[reason] ?? reason);
        }
        lastReason = reason;
        if (!show.isQuiet) progress.update(job.progress, show.label(job));
        if (job.status === 'completed') return job;
        if (job.status === 'failed' || job.status === 'cancelled') {
          throw new CliError(
            'job_failed',
            job.error ?? 'The job failed. See the log of the service for the reason.',
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
