import type { Db } from '../../database/index.ts';
import {
  deleteInstanceSetting,
  listInstanceSettings,
  setInstanceSetting,
} from '../../instance/instance-settings.ts';
import { LeaseRenewal } from '../../kernel/lease.ts';
import type { App } from '../ctx.ts';

const prefix = 'blobs_held:';
/** The pause of a dead process expires after this time. */
const leaseMs = 300_000;
const renewMs = 60_000;

export interface BlobDeletionPause extends AsyncDisposable {
  /** Throws if the pause was not renewed in time: blobs may have been removed. */
  assertNotExpired(): void;
}

/**
 * Stops every process from removing blobs until disposed, so that a backup finds all blobs that
 * its copy of the database references.
 */
export async function pauseBlobDeletion({
  engine,
  clock,
  ids,
  log,
}: Pick<App, 'engine' | 'clock' | 'ids' | 'log'>): Promise<BlobDeletionPause> {
  const name = `${prefix}${ids.uuid()}`;
  let until = clock.now();
  let isExpired = false;
  const writeLease = async (): Promise<void> => {
    const next = new Date(clock.now().getTime() + leaseMs);
    await setInstanceSetting(engine.db, name, next.toISOString());
    until = next;
  };
  await removeExpired(engine.db, clock.now());
  await writeLease();
  const renewal = new LeaseRenewal(clock, {
    intervalMs: renewMs,
    renew: () => {
      isExpired ||= clock.now() >= until;
      return writeLease();
    },
    onError: (error) => log.warn({ err: error }, 'blob deletion pause renewal failed'),
  });
  return {
    assertNotExpired() {
      if (isExpired || clock.now() >= until) {
        throw new Error('The database did not respond in time: the backup may lack files.');
      }
    },
    async [Symbol.asyncDispose]() {
      await renewal[Symbol.asyncDispose]();
      await deleteInstanceSetting(engine.db, name);
    },
  };
}

/** Removes pauses of dead processes. */
async function removeExpired(db: Db, now: Date): Promise<void> {
  const expired = (await listInstanceSettings(db, prefix)).filter(
    ({ value }) => value <= now.toISOString(),
  );
  for (const { name } of expired) await deleteInstanceSetting(db, name);
}

/** Whether a backup runs, in any process. */
export async function isBlobDeletionPaused({
  engine,
  clock,
}: Pick<App, 'engine' | 'clock'>): Promise<boolean> {
  const now = clock.now().toISOString();
  return (await listInstanceSettings(engine.db, prefix)).some(({ value }) => value > now);
}
