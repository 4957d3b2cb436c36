import type { Db } from '../../database/index.ts';
import {
  deleteInstanceSetting,
  listInstanceSettings,
  setInstanceSetting,
} from '../../instance/instance-settings.ts';
import type { App } from '../ctx.ts';

const prefix = 'blobs_held:';
/** Of a process that is gone a hold ends by itself. */
const holdMs = 300_000;
const renewMs = 60_000;

export interface BlobDeletionPause extends AsyncDisposable {
  /** Throws where the hold could not be renewed in time: blobs may have been removed meanwhile. */
  assertNotExpired(): void;
}

/**
 * Keeps every process from removing blobs until it is disposed of, so that a backup finds the
 * blobs which its copy of the database names.
 */
export async function pauseBlobDeletion({
  engine,
  clock,
  ids,
  log,
}: Pick<App, 'engine' | 'clock' | 'ids' | 'log'>): Promise<BlobDeletionPause> {
  const name = `${prefix}${ids.uuid()}`;
  let until = clock.now();
  let isBroken = false;
  const put = async (): Promise<void> => {
    const next = new Date(clock.now().getTime() + holdMs);
    await setInstanceSetting(engine.db, name, next.toISOString());
    until = next;
  };
  await removeExpired(engine.db, clock.now());
  await put();
  let timer: Disposable | undefined;
  let renewing: Promise<void> = Promise.resolve();
  let isOver = false;
  const renew = async (): Promise<void> => {
    isBroken ||= clock.now() >= until;
    await put().catch((error: unknown) =>
      log.warn({ err: error }, 'the hold of files for a backup was not renewed'),
    );
    if (!isOver) plan();
  };
  const plan = (): void => {
    timer = clock.after(renewMs, () => {
      renewing = renew();
    });
  };
  plan();
  return {
    assertNotExpired() {
      if (isBroken || clock.now() >= until) {
        throw new Error('The database did not answer for too long: the backup may lack files.');
      }
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      timer?.[Symbol.dispose]();
      await renewing;
      await deleteInstanceSetting(engine.db, name);
    },
  };
}

/** Of processes that are gone. */
async function removeExpired(db: Db, now: Date): Promise<void> {
  const expired = (await listInstanceSettings(db, prefix)).filter(
    ({ value }) => value <= now.toISOString(),
  );
  for (const { name } of expired) await deleteInstanceSetting(db, name);
}

/** Whether a backup is being made, in any process. */
export async function isBlobDeletionPaused({
  engine,
  clock,
}: Pick<App, 'engine' | 'clock'>): Promise<boolean> {
  const now = clock.now().toISOString();
  return (await listInstanceSettings(engine.db, prefix)).some(({ value }) => value > now);
}
