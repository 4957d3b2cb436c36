import { Pulse } from '../../../work/pulse.ts';
import type { RunningJob } from '../../../work/worker.ts';
import { type App, systemCtx } from '../../ctx.ts';
import { expiredUploads, releaseUpload, type UploadRow, unendedUploads } from '../store/uploads.ts';
import { finish, giveUp, hold } from './append.ts';

export const tendUploadsKind = 'media.tend_uploads';
const stepUploads = 20;
/** A file is put together and probed each time. */
const againMs = 600_000;

/**
 * Job: ends uploads whose last bytes came and whose process then died, and gives up those that
 * nobody went on with.
 */
export async function tendUploads(app: App, job: RunningJob): Promise<void> {
  const { engine, clock } = app;
  await using pulse = new Pulse(clock, job);
  for (let after: string | null = null; ; ) {
    const page = { after, limit: stepUploads };
    const rows = await unendedUploads(engine.db, clock.now(), page);
    for (const row of rows) {
      // The next run goes on.
      if (pulse.signal.aborted) return;
      await end(app, row);
    }
    after = rows.at(-1)?.id ?? null;
    if (rows.length < stepUploads) break;
  }
  for (;;) {
    const rows = await expiredUploads(engine.db, clock.now(), stepUploads);
    for (const row of rows) await giveUp(systemCtx(app, row.account_id), row);
    if (rows.length < stepUploads) return;
    await job.progress(0.8);
  }
}

/** With the rights of the key that began it, as far as spaces go. */
async function end(app: App, row: UploadRow): Promise<void> {
  const limited = systemCtx(app, row.account_id, row.spaces);
  const holder = app.ids.uuid();
  let again: Date | null = null;
  try {
    await finish(limited, await hold(limited, row, holder), holder);
  } catch (error) {
    // Refused for good it is gone; else it is tried again, until it expires.
    app.log.warn({ err: error, upload: row.id }, 'an upload could not be ended');
    again = new Date(app.clock.now().getTime() + againMs);
  } finally {
    await releaseUpload(app.engine.db, row, { holder, again });
  }
}
