import type { RunningJob } from '../../../jobs/job-worker.ts';
import { scheduleBlobRemoval } from '../../blobs/index.ts';
import { type App, type Ctx, withTransaction } from '../../ctx.ts';
import { deleteClipsOfMemories, deleteOldClips, findAccountsWithOldClips } from '../store/clips.ts';

export const pruneClipsKind = 'media.forget_clips';
const retentionMs = 24 * 3_600_000;
const batchClips = 100;

/** Job: removes clips that are older than a day. The next request cuts them again. */
export async function pruneClips(app: App, job: RunningJob): Promise<void> {
  const { engine, clock, ids } = app;
  const before = new Date(clock.now().getTime() - retentionMs);
  for (const accountId of await findAccountsWithOldClips(engine.db, before)) {
    for (let count = batchClips; count === batchClips; ) {
      count = await engine.transaction(async (tx) => {
        const blobs = await deleteOldClips(tx, accountId, before, batchClips);
        await scheduleBlobRemoval({ tx, ids, clock }, blobs);
        return blobs.length;
      });
      await job.saveProgress(0.5);
    }
  }
}

/** Removes all clips of the given recordings. */
export const eraseClipsOf = (ctx: Ctx, memoryIds: readonly string[]): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    await scheduleBlobRemoval(
      inTx,
      await deleteClipsOfMemories(inTx.tx, inTx.actor.accountId, memoryIds),
    );
  });
