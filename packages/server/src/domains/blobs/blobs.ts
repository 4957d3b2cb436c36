import type { Db } from '../../database/index.ts';
import { databaseIdKey, getOrCreateInstanceSetting } from '../../instance/instance-settings.ts';
import { enqueueJob } from '../../jobs/job-queue.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AppError } from '../../kernel/errors.ts';
import { createHook } from '../../kernel/per-app.ts';
import { isBlobNotFound } from '../../providers/blobs/index.ts';
import type { App, TxCtx } from '../ctx.ts';
import { isBlobDeletionPaused } from './deletion-pause.ts';
import { listUnusedBlobs, markBlobsUnused, unmarkUnusedBlobs } from './store/unused-blobs.ts';

const stepBlobs = 100;
/** A blob may exist for this long before its row. */
const orphanHours = 24;
const hourMs = 3_600_000;

/** Each domain adds to `referenced` those of `names` that its rows reference. */
export const collectReferencedBlobs = createHook<
  Pick<App, 'disposables'>,
  [db: Db, names: readonly string[], referenced: Set<string>]
>();

export const removeUnusedBlobsKind = 'blobs.remove';
export const sweepBlobsKind = 'blobs.sweep';

/** Reads a file in chunks. The first chunk throws 404 not_found if the file is missing. */
export async function* readBlobChunks(
  { blobs }: Pick<App, 'blobs'>,
  name: string,
  range?: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  try {
    yield* blobs.read(name, range);
  } catch (error) {
    if (!isBlobNotFound(error)) throw error;
    // Deleted a moment ago, or lost: a verification reports lost files.
    throw fileNotFoundError(error);
  }
}

export const fileNotFoundError = (cause?: unknown): AppError =>
  new AppError('not_found', { message: 'The file does not exist.', cause });

/** Call in the transaction that removes the rows; a job removes blobs without other references. */
export async function scheduleBlobRemoval(
  { tx, ids, clock }: Pick<TxCtx, 'tx' | 'ids' | 'clock'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const now = clock.now();
  await markBlobsUnused(tx, [...new Set(names)], now);
  await enqueueBlobRemovalJob({ tx, ids, clock });
}

/** Queues the job that removes unreferenced blobs. */
export async function enqueueBlobRemovalJob({
  tx,
  ids,
  clock,
}: Pick<TxCtx, 'tx' | 'ids' | 'clock'>): Promise<void> {
  const job = { id: ids.uuid(), accountId: null, kind: removeUnusedBlobsKind, payload: {} };
  await enqueueJob(tx, { ...job, spaces: null, runAt: clock.now() });
}

/** Removes a blob that no row was stored for; the sweep removes it if this fails. */
export const tryRemoveBlob = (
  { blobs, log }: Pick<App, 'blobs' | 'log'>,
  name: string,
): Promise<void> =>
  blobs.remove(name).catch((error: unknown) => log.warn({ err: error }, 'blob removal failed'));

/** Job: removes unreferenced blobs. While removals are paused, the end of the pause queues it. */
export async function removeUnusedBlobs(app: App, job: RunningJob): Promise<void> {
  for (;;) {
    const names = await listUnusedBlobs(app.engine.db, stepBlobs);
    // Checked last: a backup that begins now reads a database without their rows.
    if (names.length === 0 || (await isBlobDeletionPaused(app))) return;
    const orphans = new Set(await findOrphanBlobs(app, names));
    for (const name of orphans) await app.blobs.remove(name);
    await unmarkUnusedBlobs(app.engine.db, names);
    // The last reference to one may have been removed since the check.
    await removeOrphanBlobs(
      app,
      names.filter((name) => !orphans.has(name)),
    );
    await job.saveProgress(0.5);
  }
}

/**
 * Job: removes blobs that a crash left without a row. Another database that is configured with the
 * same folder or bucket references none of its files and would remove all of them.
 */
export async function sweepBlobs(app: App, job: RunningJob): Promise<void> {
  const id = await getOrCreateInstanceSetting(app.engine.db, databaseIdKey, app.ids.uuid());
  if ((await app.blobs.getOrClaimOwner(id)) !== id) {
    app.log.error('blob sweep skipped: the files belong to another instance');
    return;
  }
  const before = new Date(app.clock.now().getTime() - orphanHours * hourMs);
  for await (const names of app.blobs.listNamesBefore(before)) {
    if (await isBlobDeletionPaused(app)) return;
    await removeOrphanBlobs(app, names);
    await job.saveProgress(0.5);
  }
  await app.blobs.removeDrafts(before);
}

/** Number of blobs without a row: being uploaded, left by a crash, or about to be removed. */
export async function countOrphanBlobs(app: App, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const names of app.blobs.listNamesBefore(app.clock.now())) {
    signal.throwIfAborted();
    count += (await findOrphanBlobs(app, names)).length;
  }
  return count;
}

/** Checks again: a blob may be shared by two accounts. */
async function removeOrphanBlobs(app: App, names: readonly string[]): Promise<void> {
  for (const name of await findOrphanBlobs(app, names)) await app.blobs.remove(name);
}

/** Blobs that no row references. */
export async function findOrphanBlobs(app: App, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const referenced = new Set<string>();
  await collectReferencedBlobs.run(app, app.engine.db, names, referenced);
  return names.filter((name) => !referenced.has(name));
}
