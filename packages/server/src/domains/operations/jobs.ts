import type { Job } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { findJob, type JobRow } from '../../work/queue.ts';
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

/** A job of the caller's account. Throws 404 not_found. */
export async function getJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job) throw new AppError('not_found');
  return { ...presentJob(job), kind: job.kind, attempts: job.attempts };
}
