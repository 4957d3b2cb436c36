import type { Db } from '../engine/index.ts';
import { AppError } from '../kernel/errors.ts';
import { hook } from '../kernel/service.ts';
import { isNoBlob } from '../providers/blobs/index.ts';
import { databaseIdName, keepFirst } from '../work/installation.ts';
import { enqueue } from '../work/queue.ts';
import { forgetUnused, markUnused, unusedBlobs } from '../work/unused-blobs.ts';
import type { RunningJob } from '../work/worker.ts';
import { blobsAreHeld } from './blob-hold.ts';
import type { App, TxCtx } from './ctx.ts';

const stepBlobs = 100;
/** So long a blob may be there before the row that names it. */
const strayHours = 24;
const hourMs = 3_600_000;

/** Called with names of blobs: each domain adds to `named` those that rows of its own have. */
export const namingBlobs = hook<
  Pick<App, 'disposables'>,
  [db: Db, names: readonly string[], named: Set<string>]
>();

export const removeBlobsKind = 'blobs.remove';
export const sweepBlobsKind = 'blobs.sweep';

/** To be sent. Throws 404 not_found with the first piece where they are not there. */
export async function* piecesOf(
  { blobs }: Pick<App, 'blobs'>,
  name: string,
  range?: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  try {
    yield* blobs.read(name, range);
  } catch (error) {
    if (!isNoBlob(error)) throw error;
    // Deleted a moment ago, or lost, which a verification tells.
    throw fileMissing(error);
  }
}

export const fileMissing = (cause?: unknown): AppError =>
  new AppError('not_found', { message: 'The file is not there.', cause });

/** With the rows that named them; a job removes those that no other row has. */
export async function dropBlobs(
  { tx, ids, clock }: Pick<TxCtx, 'tx' | 'ids' | 'clock'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const now = clock.now();
  await markUnused(tx, [...new Set(names)], now);
  await removeBlobsLater({ tx, ids, clock });
}

/** Queues the job that removes blobs which no row names. */
export async function removeBlobsLater({
  tx,
  ids,
  clock,
}: Pick<TxCtx, 'tx' | 'ids' | 'clock'>): Promise<void> {
  const job = { id: ids.uuid(), accountId: null, kind: removeBlobsKind, payload: {} };
  await enqueue(tx, { ...job, spaces: null, runAt: clock.now() });
}

/** At once, of what nothing was stored of; what is left all the same, a sweep removes. */
export const removeBlob = (
  { blobs, log }: Pick<App, 'blobs' | 'log'>,
  name: string,
): Promise<void> =>
  blobs
    .remove(name)
    .catch((error: unknown) => log.warn({ err: error }, 'a blob could not be removed'));

/** Job: removes what no row names any more. While blobs are held the end of the hold does it. */
export async function removeBlobs(app: App, job: RunningJob): Promise<void> {
  for (;;) {
    const names = await unusedBlobs(app.engine.db, stepBlobs);
    // Asked last: a backup that begins now reads a database that has none of their rows.
    if (names.length === 0 || (await blobsAreHeld(app))) return;
    const strays = new Set(await straysOf(app, names));
    for (const name of strays) await app.blobs.remove(name);
    await forgetUnused(app.engine.db, names);
    // The last row that named one may have gone since it was looked for.
    await removeStrays(
      app,
      names.filter((name) => !strays.has(name)),
    );
    await job.progress(0.5);
  }
}

/**
 * Job: removes what a crash left in the blob store before a row named it. Another database that is
 * pointed at the same folder or bucket names none of its files: it must take them for nobody's.
 */
export async function sweepBlobs(app: App, job: RunningJob): Promise<void> {
  const id = await keepFirst(app.engine.db, databaseIdName, app.ids.uuid());
  if ((await app.blobs.ownerFrom(id)) !== id) {
    app.log.error('the files belong to another installation: none of them is swept');
    return;
  }
  const before = new Date(app.clock.now().getTime() - strayHours * hourMs);
  for await (const names of app.blobs.namesBefore(before)) {
    if (await blobsAreHeld(app)) return;
    await removeStrays(app, names);
    await job.progress(0.5);
  }
  await app.blobs.removeDrafts(before);
}

/** How many blobs no row names: under way, left by a crash, or about to be removed. */
export async function countStrays(app: App, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const names of app.blobs.namesBefore(app.clock.now())) {
    signal.throwIfAborted();
    count += (await straysOf(app, names)).length;
  }
  return count;
}

/** A blob that two accounts were sent is still the other's. */
async function removeStrays(app: App, names: readonly string[]): Promise<void> {
  for (const name of await straysOf(app, names)) await app.blobs.remove(name);
}

/** Those that no row names. */
export async function straysOf(app: App, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const named = new Set<string>();
  await namingBlobs.run(app, app.engine.db, names, named);
  return names.filter((name) => !named.has(name));
}
