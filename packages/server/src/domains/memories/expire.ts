import { sharedOwner } from '../../events/shared-owner.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AdaptiveBatchSize } from '../../kernel/adaptive-batch-size.ts';
import { type App, type Ctx, systemCtx, withTransaction } from '../ctx.ts';
import { isExpired } from './model.ts';
import { eraseLockedMemories } from './remove.ts';
import { pruneUnusedLists } from './salience-list.ts';
import { listExpiredMemories, lockMemories } from './store/memories.ts';

export const expireMemoriesKind = 'memories.expire';

/**
 * Job: erases the memories of all accounts that have expired, in small steps. A failure in one
 * account does not keep those of others; the first is thrown at the end. Also removes the orders of
 * lists that are no longer read.
 */
export async function expireMemories(app: App, job: RunningJob): Promise<void> {
  await pruneUnusedLists(app);
  const adaptiveBatch = new AdaptiveBatchSize(app.clock);
  const failures = new Map<string, unknown>();
  const step = async (rows: number): Promise<number> => {
    const now = app.clock.now();
    const expired = await listExpiredMemories(app.engine.db, now, [...failures.keys()], rows);
    for (const [accountId, group] of Map.groupBy(expired, ({ account_id }) => account_id)) {
      const ids = group.map(({ id }) => id);
      await eraseExpired(systemCtx(app, accountId), ids).catch((error: unknown) =>
        failures.set(accountId, error),
      );
    }
    return expired.length;
  };
  while ((await adaptiveBatch.run(step)) > 0) await job.saveProgress(0.5);
  for (const error of failures.values()) throw error;
}

/** Erases those that are still expired when they are locked. */
const eraseExpired = (ctx: Ctx, ids: readonly string[]): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock, journal } = inTx;
    const now = clock.now();
    const locked = await lockMemories(tx, actor.accountId, ids);
    const records = locked.filter((record) => isExpired(record, now));
    if (records.length === 0) return;
    const { accountId } = actor;
    for (const record of records) {
      const base = { accountId, spaceId: record.space_id, owner: sharedOwner([record]) };
      journal.addEvent({ ...base, type: 'memory.expired', data: { id: record.id } });
    }
    await eraseLockedMemories(inTx, records);
  });
