import type { ImportStatus } from '@mneme/contract';
import { findJob, findJobByKind, type JobRow } from '../../../jobs/job-queue.ts';
import { readWaitingReasons } from '../../../jobs/waiting-reasons.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Ctx, requireAccountWideAccess, requireEveryUser } from '../../ctx.ts';
import { type ImportPayload, presentReport } from './import-state.ts';
import { importKind } from './run-import.ts';

async function present(ctx: Ctx, job: JobRow | undefined): Promise<ImportStatus> {
  if (job?.kind !== importKind) throw new AppError('not_found');
  const reasons = await readWaitingReasons(ctx, [job]);
  const { request, accounts, state } = job.payload as unknown as ImportPayload;
  return {
    id: job.id,
    status: job.status,
    progress: job.progress,
    waiting_reason: reasons.get(job.id) ?? null,
    error: job.error,
    dry_run: request.dry_run,
    account_ids: accounts.map(([, target]) => target),
    ...presentReport(state),
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}

/** An import that a key of the account has requested. Throws 404 not_found. */
export async function getOwnImport(ctx: Ctx, id: string): Promise<ImportStatus> {
  requireAccountWideAccess(ctx.actor);
  requireEveryUser(ctx.actor);
  return present(ctx, await findJob(ctx.engine.db, ctx.actor.accountId, id));
}

/** An import of any account, for the operator. Throws 404 not_found. */
export const getAnyImport = async (ctx: Ctx, id: string): Promise<ImportStatus> =>
  present(ctx, await findJobByKind(ctx.engine.db, importKind, id));
