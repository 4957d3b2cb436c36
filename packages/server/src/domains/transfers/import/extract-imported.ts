import { type RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type App, systemCtx } from '../../ctx.ts';
import { extractMemoryNow } from '../../graph/index.ts';

export const extractImportedKind = 'transfers.extract';
/** Memories of one job. */
export const extractPerJob = 100;

/** Job: extracts entities and facts of imported memories of which the archive had none. */
export async function extractImported(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  const { accountId } = job;
  if (accountId === null) return undefined;
  const ids = job.payload.memory_ids as string[];
  let done = Number(job.payload.done ?? 0);
  for (; done < ids.length; done += 1) {
    await extractIfPresent(app, accountId, ids[done] ?? '');
    await job.saveProgress(done / ids.length, { ...job.payload, done: done + 1 });
    if (job.shouldYield()) return requeueResult;
  }
  return undefined;
}

/** A memory that was deleted meanwhile has nothing to state; one that keeps changing has events. */
async function extractIfPresent(app: App, accountId: string, id: string): Promise<void> {
  try {
    await extractMemoryNow(systemCtx(app, accountId), id);
  } catch (error) {
    if (!(error instanceof AppError) || ![404, 409].includes(error.status)) throw error;
  }
}
