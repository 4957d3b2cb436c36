import { type RunningJob, requeueResult } from '../../jobs/job-worker.ts';
import { type App, systemCtx, withTransaction } from '../ctx.ts';
import { markEnded } from './mark-ended.ts';
import { assertionsOfGroups, type FactGroup, lockAccountGraph } from './store/assertion-log.ts';
import { factGroupsAfter } from './store/checks.ts';

/** Queued by migrations 0036 and 0038, for each account that had assertions. */
export const markStoredEndsKind = 'knowledge.mark_ended';

const batchGroups = 100;

/**
 * Job: marks which assertions had ended before there were marks, subject by subject. Silently: an
 * upgrade suggests nothing about memories that were stored long ago.
 */
export async function markStoredEnds(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  if (job.accountId === null) throw new Error('the job has no account');
  const ctx = systemCtx(app, job.accountId);
  let { after } = job.payload as unknown as { after: FactGroup | null };
  for (;;) {
    const groups = await withTransaction(ctx, async (inTx) => {
      const { tx, actor } = inTx;
      await lockAccountGraph(tx, actor.accountId);
      const page = await factGroupsAfter(tx, actor.accountId, after, batchGroups);
      if (page.length === 0) return page;
      const live = await assertionsOfGroups(tx, actor.accountId, page, { liveOnly: true });
      await markEnded(inTx, live, [], { isSilent: true });
      return page;
    });
    after = groups.at(-1) ?? null;
    if (groups.length < batchGroups) return undefined;
    await job.saveProgress(0.5, { after });
    if (job.shouldYield()) return requeueResult;
  }
}
