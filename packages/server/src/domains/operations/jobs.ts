import type { Job } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { findJob, type JobRow } from '../../work/queue.ts';
import { cancelRun, runKind } from '../clusters/index.ts';
import type { Ctx } from '../ctx.ts';

/** What every view of a job shows. */
export const presentJob = (job: JobRow) => ({
  id: job.id,
  status: job.status,
  progress: job.progress,
  error: job.error,
  created_at: job.created_at.toISOString(),
  finished_at: job.finished_at?.toISOString() ?? null,
});

const present = (job: JobRow): Job => ({
  ...presentJob(job),
  kind: job.kind,
  attempts: job.attempts,
});

/** A job of the caller's account. Throws 404 not_found. */
export async function getJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job) throw new AppError('not_found');
  return present(job);
}

/**
 * Ends a job that waits or runs. Throws 404 not_found, 409 conflict where it has ended, or where
 * ending it half-way would leave something undone that must be done.
 */
export async function cancelJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job) throw new AppError('not_found');
  if (job.kind === runKind) return cancelRun(ctx, id, present);
  throw new AppError('conflict', { message: 'Jobs of this kind cannot be cancelled.' });
}
