import type { RunningJob } from '../../../work/worker.ts';
import type { App } from '../../ctx.ts';
import { forgetUnused, strayBlobs, unusedBlobs } from './store.ts';

const stepBlobs = 100;
/** So long a blob may be there before the row that names it. */
const strayHours = 24;
const hourMs = 3_600_000;

/** Job: removes what no row names any more. */
export async function removeBlobs({ engine, blobs }: App, job: RunningJob): Promise<void> {
  for (;;) {
    const names = await unusedBlobs(engine.db, stepBlobs);
    if (names.length === 0) return;
    // A blob that two accounts were sent is still the other's.
    for (const name of await strayBlobs(engine.db, names)) await blobs.remove(name);
    await forgetUnused(engine.db, names);
    await job.progress(0.5);
  }
}

export const sweepBlobsKind = 'email.sweep_blobs';

/** Job: removes what a crash left in the blob store before a row named it. */
export async function sweepBlobs({ engine, blobs, clock }: App, job: RunningJob): Promise<void> {
  const before = new Date(clock.now().getTime() - strayHours * hourMs);
  await blobs.removeDrafts(before);
  for await (const names of blobs.namesBefore(before)) {
    for (const name of await strayBlobs(engine.db, names)) await blobs.remove(name);
    await job.progress(0.5);
  }
}
