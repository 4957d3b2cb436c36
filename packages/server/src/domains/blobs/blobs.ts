import type { Db } from '../../database/index.ts';
import { databaseIdKey, getOrCreateInstanceSetting } from '../../instance/instance-settings.ts';
import { enqueue } from '../../jobs/job-queue.ts';
import type { RunningJob } from '../../jobs/job-worker.ts';
import { AppError } from '../../kernel/errors.ts';
import { hook } from '../../kernel/per-app.ts';
import { isBlobNotFound } from '../../providers/blobs/index.ts';
import type { App, TxCtx } from '../ctx.ts';
import { isBlobDeletionPaused } from './deletion-pause.ts';
import { listUnusedBlobs, markBlobsUnused, unmarkUnusedBlobs } from './store.ts';

const stepBlobs = 100;
/** So long a blob may be there before the row that names it. */
const strayHours = 24;
const hourMs = 3_600_000;

/** Called with names of blobs: each domain adds to `named` those that rows of its own have. */
export const collectReferencedBlobs = hook<
  Pick<App, 'disposables'>,
  [db: Db, names: readonly string[], named: Set<string>]
>();

export const removeUnusedBlobsKind = 'blobs.remove';
export const sweepBlobsKind = 'blobs.sweep';

/** To be sent. Throws 404 not_found with the first piece where they are not there. */
export async function* readBlobChunks(
  { blobs }: Pick<App, 'blobs'>,
  name: string,
  range?: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  try {
    yield* blobs.read(name, range);
  } catch (error) {
    if (!isBlobNotFound(error)) throw error;
    // Deleted a moment ago, or lost, which a verification tells.
    throw fileNotFoundError(error);
  }
}

export const fileNotFoundError = (cause?: unknown): AppError =>
  new AppError('not_found', { message: 'The file is not there.', cause });

/** With the rows that named them; a job removes those that no other row has. */
export async function scheduleBlobRemoval(
  { tx, ids, clock }: Pick<TxCtx, 'tx' | 'ids' | 'clock'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const now = clock.now();
  await markBlobsUnused(tx, [...new Set(names)], now);
  await enqueueBlobRemovalJob({ tx, ids, clock });
}

/** Queues the job that removes blobs which no row names. */
export async function enqueueBlobRemovalJob({
  tx,
  ids,
  clock,
}: Pick<TxCtx, 'tx' | 'ids' | 'clock'>): Promise<void> {
  const job = { id: ids.uuid(), accountId: null, kind: removeUnusedBlobsKind, payload: {} };
  await enqueue(tx, { ...job, spaces: null, runAt: clock.now() });
}

/** At once, of what nothing was stored of; what is left all the same, a sweep removes. */
export const tryRemoveBlob = (
  { blobs, log }: Pick<App, 'blobs' | 'log'>,
  name: string,
): Promise<void> =>
  blobs
    .remove(name)
    .catch((error: unknown) => log.warn({ err: error }, 'a blob could not be removed'));

/** Job: removes what no row names any more. While blobs are held the end of the hold does it. */
export async function removeUnusedBlobs(app: App, job: RunningJob): Promise<void> {
  for (;;) {
    const names = await listUnusedBlobs(app.engine.db, stepBlobs);
    // Asked last: a backup that begins now reads a database that has none of their rows.
    if (names.length === 0 || (await isBlobDeletionPaused(app))) return;
    const strays = new Set(await findOrphanBlobs(app, names));
    for (const name of strays) await app.blobs.remove(name);
    await unmarkUnusedBlobs(app.engine.db, names);
    // The last row that named one may have gone since it was looked for.
    await removeOrphanBlobs(
      app,
      names.filter((name) => !strays.has(name)),
    );
    await job.saveProgress(0.5);
  }
}

/**
 * Job: removes what a crash left in the blob store before a row named it. Another database that is
 * pointed at the same folder or bucket names none of its files: it must take them for nobody's.
 */
export async function sweepBlobs(app: App, job: RunningJob): Promise<void> {
  const id = await getOrCreateInstanceSetting(app.engine.db, databaseIdKey, app.ids.uuid());
  if ((await app.blobs.getOrClaimOwner(id)) !== id) {
    app.log.error('the files belong to another installation: none of them is swept');
    return;
  }
  const before = new Date(app.clock.now().getTime() - strayHours * hourMs);
  for await (const names of app.blobs.listNamesBefore(before)) {
    if (await isBlobDeletionPaused(app)) return;
    await removeOrphanBlobs(app, names);
    await job.saveProgress(0.5);
  }
  await app.blobs.removeDrafts(before);
}

/** How many blobs no row names: under way, left by a crash, or about to be removed. */
export async function countOrphanBlobs(app: App, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const names of app.blobs.listNamesBefore(app.clock.now())) {
    signal.throwIfAborted();
    count += (await findOrphanBlobs(app, names)).length;
  }
  return count;
}

/** A blob that two accounts were sent is still the other's. */
async function removeOrphanBlobs(app: App, names: readonly string[]): Promise<void> {
  for (const name of await findOrphanBlobs(app, names)) await app.blobs.remove(name);
}

/** Those that no row names. */
export async function findOrphanBlobs(app: App, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const named = new Set<string>();
  await collectReferencedBlobs.run(app, app.engine.db, names, named);
  return names.filter((name) => !named.has(name));
}
