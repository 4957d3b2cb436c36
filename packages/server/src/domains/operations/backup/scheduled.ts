import {
  databaseIdKey,
  getOrCreateInstanceSetting,
  setInstanceSetting,
} from '../../../instance/instance-settings.ts';
import { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import { enqueue } from '../../../jobs/job-queue.ts';
import type { RunningJob } from '../../../jobs/job-worker.ts';
import type { ArchiveStore } from '../../../providers/archive-store/index.ts';
import type { App } from '../../ctx.ts';
import { backupFileName, openBackupStore } from './backup-store.ts';
import { createBackup } from './create.ts';
import { copyErasureLedger } from './erasure-ledger.ts';
import { lastScheduledTime } from './schedule.ts';
import { recordBackup, recordBackupFailure, recordScheduleStart } from './status.ts';

export const enqueueDueBackupKind = 'operations.plan_backups';
export const backupKind = 'operations.backup';

const scheduledName = 'backup_scheduled_for';
/** No backup is being sent for longer: what is older was left by a killed process. */
const unfinishedMs = 24 * 3_600_000;

/** Job of each minute: queues the backup that the schedule names, once, and copies erasures. */
export async function enqueueDueBackup(app: App): Promise<void> {
  const { schedule } = app.config.backup;
  if (schedule === null) return;
  await enqueueBackupIfDue(app, schedule);
  try {
    await copyErasureLedger(app);
  } catch (error) {
    app.log.error({ err: error }, 'the ledger of erasures was not copied beside the backups');
  }
}

async function enqueueBackupIfDue(app: App, schedule: string): Promise<void> {
  const { engine, clock, ids } = app;
  const now = clock.now();
  await recordScheduleStart(engine.db, now);
  const last = await getOrCreateInstanceSetting(engine.db, scheduledName, now.toISOString());
  const due = lastScheduledTime(schedule, new Date(last), now);
  if (due === null) return;
  const at = due.toISOString();
  await engine.transaction(async (tx) => {
    await setInstanceSetting(tx, scheduledName, at);
    const job = { id: ids.uuid(), accountId: null, kind: backupKind, payload: { at } };
    await enqueue(tx, { ...job, spaces: null, runAt: now, dedupeKey: `${backupKind}:${at}` });
  });
}

/** Job: makes a backup, and removes those beyond the number that is kept. */
export async function makeScheduledBackup(app: App, job: RunningJob): Promise<void> {
  const { engine, clock, ids, config } = app;
  const at = clock.now();
  await using pulse = new JobHeartbeat(clock, job);
  try {
    const databaseId = await getOrCreateInstanceSetting(engine.db, databaseIdKey, ids.uuid());
    await using store = await openBackupStore(config.backup, { databaseId, ids });
    await store.removeUnfinished(new Date(at.getTime() - unfinishedMs));
    await write(app, { store, name: backupFileName(databaseId, at), at, signal: pulse.signal });
    // Another try would make another backup: the next one of the schedule removes them, too.
    await removeOldest(store, config.backup.keep).catch(async (error: unknown) => {
      app.log.error({ err: error }, 'old backups not removed');
      await recordBackupFailure(engine.db, { at: at.toISOString(), step: 'remove', error });
    });
  } catch (error) {
    if (!pulse.signal.aborted) {
      await recordBackupFailure(engine.db, { at: at.toISOString(), step: 'write', error });
    }
    throw error;
  }
}

async function write(
  app: App,
  {
    store,
    name,
    at,
    signal,
  }: {
    readonly store: ArchiveStore;
    readonly name: string;
    readonly at: Date;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { engine, clock, log } = app;
  const beganMs = clock.monotonicMs();
  const bytes = await store.write(name, createBackup(app), signal);
  const seconds = Math.round((clock.monotonicMs() - beganMs) / 1_000);
  const location = store.locationOf(name);
  await recordBackup(engine.db, { at: at.toISOString(), location, bytes, seconds });
  log.info({ location, bytes, seconds }, 'backup made');
}

/** Only after a new one is whole, and only those of this database that a schedule has made. */
async function removeOldest(store: ArchiveStore, keep: number): Promise<void> {
  const names = await store.list();
  for (const name of names.slice(0, Math.max(0, names.length - keep))) await store.remove(name);
}
