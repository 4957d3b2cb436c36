import { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import { type App, systemCtx } from '../../ctx.ts';
import {
  expiredUploads,
  findUncompletedUploads,
  releaseUploadLease,
  type UploadRow,
} from '../store/uploads.ts';
import { acquireUpload, discardUpload, finaliseUpload } from './append.ts';

export const cleanUpUploadsKind = 'media.tend_uploads';
const batchUploads = 20;
/** A file is put together and probed each time. */
const retryDelayMs = 600_000;

/**
 * Job: ends uploads whose last bytes came and whose process then died, and gives up those that
 * nobody went on with.
 */
export async function cleanUpUploads(app: App, job: RunningJob): Promise<void> {
  const { engine, clock } = app;
  await using pulse = new JobHeartbeat(clock, job);
  for (let after: string | null = null; ; ) {
    const page = { after, limit: batchUploads };
    const rows = await findUncompletedUploads(engine.db, clock.now(), page);
    for (const row of rows) {
      // The next run goes on.
      if (pulse.signal.aborted) return;
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

/** With the rights of the key that began it, as far as spaces go. */
async function completeStalled(app: App, row: UploadRow): Promise<void> {
  const limited = systemCtx(app, row.account_id, row.spaces);
  const holder = app.ids.uuid();
  let again: Date | null = null;
  try {
    await finaliseUpload(limited, await acquireUpload(limited, row, holder), holder);
  } catch (error) {
    // Refused for good it is gone; else it is tried again, until it expires.
    app.log.warn({ err: error, upload: row.id }, 'an upload could not be ended');
    again = new Date(app.clock.now().getTime() + retryDelayMs);
  } finally {
    await releaseUploadLease(app.engine.db, row, { holder, again });
  }
}
