import type { Job } from '@mneme/contract';
import { findJob, type JobRow } from '../../jobs/job-queue.ts';
import { AppError } from '../../kernel/errors.ts';
import { cancelRun, canReadRun, clusterRunJobKind } from '../clusters/index.ts';
import { type Ctx, canReadSpace, canUseSpaces } from '../ctx.ts';
import { findMemory } from '../memories/index.ts';
import { presentJob } from './job-fields.ts';
import { cancelModelChange } from './models/change-job.ts';
import { changeModelKind } from './models/choice.ts';

const toResponse = (job: JobRow): Job => ({
  ...presentJob(job),
  kind: job.kind,
  attempts: job.attempts,
  result: job.result,
});

/** Returns a job of the account that the key may see. Throws 404 not_found. */
export async function getJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job || !(await canSeeJob(ctx, job))) throw new AppError('not_found');
  return toResponse(job);
}

/** A limited key sees jobs of keys within its spaces, and jobs about its spaces. */
async function canSeeJob(ctx: Ctx, { id, kind, payload, spaces }: JobRow): Promise<boolean> {
  const { actor } = ctx;
  if (canUseSpaces(actor, spaces)) return true;
  if (kind === clusterRunJobKind) return canReadRun(ctx, id);
  if (typeof payload.memory_id !== 'string') return false;
  const memory = await findMemory(ctx, payload.memory_id);
  return memory !== undefined && canReadSpace(actor, memory.space_id);
}

/**
 * Cancels a waiting or running job. Throws 404 not_found, 409 conflict if it has ended, or if it
 * must not be cancelled half-way.
 */
export async function cancelJob(ctx: Ctx, id: string): Promise<Job> {
  const job = await findJob(ctx.engine.db, ctx.actor.accountId, id);
  if (!job) throw new AppError('not_found');
  if (job.kind === clusterRunJobKind) return cancelRun(ctx, id, toResponse);
  if (!(await canSeeJob(ctx, job))) throw new AppError('not_found');
  if (job.kind === changeModelKind) return cancelModelChange(ctx, job, toResponse);
  throw new AppError('conflict', { message: 'Jobs of this kind cannot be cancelled.' });
}
