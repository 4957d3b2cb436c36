import type { Job } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { findJob } from '../../work/queue.ts';
import type { Ctx } from '../ctx.ts';

/** A job of the caller's account. Throws 404 not_found. */
export async function getJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job) throw new AppError('not_found');
  return {
    id: job.id,
    kind: job.kind,
    status: job.status as Job['status'],
    progress: job.progress,
    attempts: job.attempts,
    error: job.error,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}
