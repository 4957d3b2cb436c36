import { createHash } from 'node:crypto';
import type { Db } from '../engine/index.ts';
import { hook } from '../kernel/service.ts';
import { keepFirst } from '../work/installation.ts';
import { enqueue } from '../work/queue.ts';
import { forgetUnused, markUnused, unusedBlobs } from '../work/unused-blobs.ts';
import type { RunningJob } from '../work/worker.ts';
import type { Fault, Looking } from './check.ts';
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

/** With the rows that named them; a job removes those that no other row has. */
export async function dropBlobs(
  { tx, ids, clock }: Pick<TxCtx, 'tx' | 'ids' | 'clock'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const now = clock.now();
  await markUnused(tx, [...new Set(names)], now);
  const job = { id: ids.uuid(), accountId: null, kind: removeBlobsKind, payload: {} };
  await enqueue(tx, { ...job, runAt: now });
}

/** At once, of what nothing was stored of; what is left all the same, a sweep removes. */
export const removeBlob = (
  { blobs, log }: Pick<App, 'blobs' | 'log'>,
  name: string,
): Promise<void> =>
  blobs
    .remove(name)
    .catch((error: unknown) => log.warn({ err: error }, 'a blob could not be removed'));

/** Job: removes what no row names any more. */
export async function removeBlobs(app: App, job: RunningJob): Promise<void> {
  for (;;) {
    const names = await unusedBlobs(app.engine.db, stepBlobs);
    if (names.length === 0) return;
    await removeStrays(app, names);
    await forgetUnused(app.engine.db, names);
    await job.progress(0.5);
  }
}

/**
 * Job: removes what a crash left in the blob store before a row named it. Another database that is
 * pointed at the same folder or bucket names none of its files: it must take them for nobody's.
 */
export async function sweepBlobs(app: App, job: RunningJob): Promise<void> {
  const id = await keepFirst(app.engine.db, 'id', app.ids.uuid());
  if ((await app.blobs.ownerFrom(id)) !== id) {
    app.log.error('the files belong to another installation: none of them is swept');
    return;
  }
  const before = new Date(app.clock.now().getTime() - strayHours * hourMs);
  for await (const names of app.blobs.namesBefore(before)) {
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

/** What a row says of its blob. */
export interface NamedBlob {
  /** Of the row. */
  readonly id: string;
  readonly blob: string;
  readonly bytes: number;
  /** Left out: of these only the number is known. */
  readonly sha256?: Uint8Array;
}

/** Blobs that are not there, or have other bytes than their rows say. */
export async function wrongBlobs(
  app: App,
  named: readonly NamedBlob[],
  { deep, signal }: Looking,
): Promise<Fault[]> {
  const wrong: { readonly blob: string; readonly fault: Fault }[] = [];
  for (const { id, blob, bytes, sha256 } of named) {
    signal?.throwIfAborted();
    const there = await app.blobs.size(blob);
    const what = there === null ? 'are not there' : `are ${there}, not ${bytes}`;
    const isSame = there === bytes;
    const isOther = isSame && deep && sha256 && !(await hasHash(app, blob, sha256, signal));
    if (isSame && !isOther) continue;
    const message = `bytes of a file ${isOther ? 'are others than were stored' : what}`;
    wrong.push({ blob, fault: { code: 'bytes_differ', id, message } });
  }
  // What went while it was looked at is named no more.
  const gone = new Set(
    await straysOf(
      app,
      wrong.map(({ blob }) => blob),
    ),
  );
  return wrong.filter(({ blob }) => !gone.has(blob)).map(({ fault }) => fault);
}

async function hasHash(
  { blobs }: App,
  blob: string,
  sha256: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const piece of blobs.read(blob)) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest().equals(sha256);
}

/** A blob that two accounts were sent is still the other's. */
async function removeStrays(app: App, names: readonly string[]): Promise<void> {
  for (const name of await straysOf(app, names)) await app.blobs.remove(name);
}

async function straysOf(app: App, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const named = new Set<string>();
  await namingBlobs.run(app, app.engine.db, names, named);
  return names.filter((name) => !named.has(name));
}
