import type { RunningJob } from '../../../work/worker.ts';
import { dropBlobs } from '../../blobs.ts';
import { type App, type Ctx, withTransaction } from '../../ctx.ts';
import { deleteClipsOf, deleteOldClips } from '../store/clips.ts';

export const forgetClipsKind = 'media.forget_clips';
const keptMs = 24 * 3_600_000;
const stepClips = 100;

/** Job: removes clips of more than a day ago; asked for again, they are cut again. */
export async function forgetClips(app: App, job: RunningJob): Promise<void> {
  const { engine, clock, ids } = app;
  const before = new Date(clock.now().getTime() - keptMs);
  for (;;) {
    const count = await engine.transaction(async (tx) => {
      const blobs = await deleteOldClips(tx, before, stepClips);
      await dropBlobs({ tx, ids, clock }, blobs);
      return blobs.length;
    });
    if (count < stepClips) return;
    await job.progress(0.5);
  }
}

/** Those of some recordings. */
export const forgetClipsOf = (ctx: Ctx, memoryIds: readonly string[]): Promise<void> =>
  withTransaction(ctx, async (inTx) => {
    await dropBlobs(inTx, await deleteClipsOf(inTx.tx, inTx.actor.accountId, memoryIds));
  });
