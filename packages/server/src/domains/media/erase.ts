import type { RunningJob } from '../../jobs/job-worker.ts';
import { scheduleBlobRemoval } from '../blobs/index.ts';
import type { Ctx, TxCtx } from '../ctx.ts';
import { deleteFiles, filesAfter } from './store/files.ts';
import { deleteUpload, deleteUploadsOfMemories, uploadsOfAccount } from './store/uploads.ts';

const batchRows = 100;

/**
 * Deletes the files, clips, thumbnails, transcripts and interpretations of erased memories, and the
 * uploads that they were.
 */
export async function eraseMedia(inTx: TxCtx, memoryIds: readonly string[]): Promise<void> {
  await deleteUploadsOfMemories(inTx.tx, inTx.actor.accountId, memoryIds);
  await scheduleBlobRemoval(inTx, await deleteFiles(inTx.tx, inTx.actor.accountId, memoryIds));
}

/** Deletes all media data of a deleted account. */
export async function eraseAccountMedia(ctx: Ctx, job: RunningJob): Promise<void> {
  const { engine, actor, ids, clock } = ctx;
  for (;;) {
    const hasMore = await engine.transaction(async (tx) => {
      const inTx = { tx, ids, clock };
      const uploads = await uploadsOfAccount(tx, actor.accountId, batchRows);
      for (const upload of uploads)
        await scheduleBlobRemoval(inTx, (await deleteUpload(tx, upload)) ?? []);
      const files = await filesAfter(tx, actor.accountId, { after: null, limit: batchRows });
      const memoryIds = files.map(({ memory_id: id }) => id);
      if (files.length > 0)
        await scheduleBlobRemoval(inTx, await deleteFiles(tx, actor.accountId, memoryIds));
      return uploads.length + files.length > 0;
    });
    if (!hasMore) return;
    await job.saveProgress(0.5);
  }
}
