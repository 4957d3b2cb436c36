import { releaseLease } from '../../../database/index.ts';
import { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { type App, systemCtx } from '../../ctx.ts';
import {
  expiredUploads,
  findUncompletedUploads,
  leasedUpload,
  type UploadRow,
} from '../store/uploads.ts';
import { acquireUpload, discardUpload, finaliseUpload } from './append.ts';

export const cleanUpUploadsKind = 'media.tend_uploads';
const batchUploads = 20;
/** Each attempt assembles and probes the file. */
const retryDelayMs = 600_000;

/**
 * Job: completes uploads whose process died after the last bytes, and removes expired uploads.
 */
export async function cleanUpUploads(app: App, job: RunningJob): Promise<void> {
  const { engine, clock } = app;
  await using heartbeat = new JobHeartbeat(clock, job);
  for (let after: string | null = null; ; ) {
    const page = { after, limit: batchUploads };
    const rows = await findUncompletedUploads(engine.db, clock.now(), page);
    for (const row of rows) {
      // The next run continues.
      if (heartbeat.signal.aborted) return;
      await completeStalled(app, row);
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < batchUploads) break;
  }
  for (;;) {
    const rows = await expiredUploads(engine.db, clock.now(), batchUploads);
    for (const row of rows) await discardUpload(systemCtx(app, row.account_id), row);
    if (rows.length < batchUploads) return;
    await job.saveProgress(0.8);
  }
}

/** Acts with the spaces of the API key that created the upload. */
async function completeStalled(app: App, row: UploadRow): Promise<void> {
  const ctx = systemCtx(app, row.account_id, row.spaces);
  const holder = app.ids.uuid();
  let retryAt: Date | null = null;
  try {
    await finaliseUpload(ctx, await acquireUpload(ctx, row, holder), holder);
  } catch (error) {
    // A final rejection has removed the upload; any other error is retried until it expires.
    app.log.warn({ err: error, upload: row.id }, 'upload completion failed');
    retryAt = new Date(app.clock.now().getTime() + retryDelayMs);
  } finally {
    await releaseLease(app.engine.db, leasedUpload(row), holder, retryAt);
  }
}
