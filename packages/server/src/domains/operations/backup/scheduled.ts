import {
  databaseIdKey,
  getOrCreateInstanceSetting,
  setInstanceSetting,
} from '../../../instance/instance-settings.ts';
import { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import { enqueueJob } from '../../../jobs/job-queue.ts';
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

const scheduledForKey = 'backup_scheduled_for';
/** No upload takes longer: an older unfinished one was left by a killed process. */
const unfinishedMs = 24 * 3_600_000;

/** Job, every minute: queues the due backup once, and copies erasures. */
export async function enqueueDueBackup(app: App): Promise<void> {
  const { schedule } = app.config.backup;
  if (schedule === null) return;
  await enqueueBackupIfDue(app, schedule);
  try {
    await copyErasureLedger(app);
  } catch (error) {
    app.log.error({ err: error }, 'erasure ledger copy to the backup store failed');
  }
}

async function enqueueBackupIfDue(app: App, schedule: string): Promise<void> {
  const { engine, clock, ids } = app;
  const now = clock.now();
  await recordScheduleStart(engine.db, now);
  const last = await getOrCreateInstanceSetting(engine.db, scheduledForKey, now.toISOString());
  const due = lastScheduledTime(schedule, new Date(last), now);
  if (due === null) return;
  const at = due.toISOString();
  await engine.transaction(async (tx) => {
    await setInstanceSetting(tx, scheduledForKey, at);
    const job = { id: ids.uuid(), accountId: null, kind: backupKind, payload: { at } };
    await enqueueJob(tx, { ...job, spaces: null, runAt: now, dedupeKey: `${backupKind}:${at}` });
  });
}

/** Job: creates a backup, and removes backups beyond the configured number. */
export async function makeScheduledBackup(app: App, job: RunningJob): Promise<void> {
  const { engine, clock, ids, config } = app;
  const startedAt = clock.now();
  await using heartbeat = new JobHeartbeat(clock, job);
  try {
    const databaseId = await getOrCreateInstanceSetting(engine.db, databaseIdKey, ids.uuid());
    await using store = await openBackupStore(config.backup, { databaseId, ids });
    await store.removeUnfinished(new Date(startedAt.getTime() - unfinishedMs));
    const name = backupFileName(databaseId, startedAt);
    await write(app, { store, name, at: startedAt, signal: heartbeat.signal });
    // A retry would create another backup: the next scheduled one removes them as well.
    await removeOldest(store, config.backup.keep).catch(async (error: unknown) => {
      app.log.error({ err: error }, 'old backup removal failed');
      await recordBackupFailure(engine.db, {
        at: startedAt.toISOString(),
        step: 'remove',
        error,
      });
    });
  } catch (error) {
    if (!heartbeat.signal.aborted) {
      await recordBackupFailure(engine.db, { at: startedAt.toISOString(), step: 'write', error });
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
  const startedMs = clock.monotonicMs();
  const bytes = await store.write(name, createBackup(app), signal);
  const seconds = Math.round((clock.monotonicMs() - startedMs) / 1_000);
  const location = store.locationOf(name);
  await recordBackup(engine.db, { at: at.toISOString(), location, bytes, seconds });
  log.info({ location, bytes, seconds }, 'backup created');
}

/** Call after a new backup is complete. Removes only scheduled backups of this database. */
async function removeOldest(store: ArchiveStore, keep: number): Promise<void> {
  const names = await store.list();
  for (const name of names.slice(0, Math.max(0, names.length - keep))) await store.remove(name);
}
