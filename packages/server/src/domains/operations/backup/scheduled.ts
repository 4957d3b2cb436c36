import type { ArchiveStore } from '../../../providers/archive-store/index.ts';
import { databaseIdName, keepFirst, putInstallation } from '../../../work/installation.ts';
import { Pulse } from '../../../work/pulse.ts';
import { enqueue } from '../../../work/queue.ts';
import type { RunningJob } from '../../../work/worker.ts';
import type { App } from '../../ctx.ts';
import { createBackup } from './create.ts';
import { copyLedger } from './ledger.ts';
import { dueTime } from './schedule.ts';
import { noteBackup, noteFailure, noteFirstPlan } from './status.ts';
import { backupName, openBackupStore } from './store.ts';

export const planBackupsKind = 'operations.plan_backups';
export const backupKind = 'operations.backup';

const scheduledName = 'backup_scheduled_for';
/** No backup is being sent for longer: what is older was left by a killed process. */
const unfinishedMs = 24 * 3_600_000;

/** Job of each minute: queues the backup that the schedule names, once, and copies erasures. */
export async function planBackups(app: App): Promise<void> {
  const { schedule } = app.config.backup;
  if (schedule === null) return;
  await planBackup(app, schedule);
  try {
    await copyLedger(app);
  } catch (error) {
    app.log.error({ err: error }, 'the ledger of erasures was not copied beside the backups');
  }
}

async function planBackup(app: App, schedule: string): Promise<void> {
  const { engine, clock, ids } = app;
  const now = clock.now();
  await noteFirstPlan(engine.db, now);
  const last = await keepFirst(engine.db, scheduledName, now.toISOString());
  const due = dueTime(schedule, new Date(last), now);
  if (due === null) return;
  const at = due.toISOString();
  await engine.transaction(async (tx) => {
    await putInstallation(tx, scheduledName, at);
    const job = { id: ids.uuid(), accountId: null, kind: backupKind, payload: { at } };
    await enqueue(tx, { ...job, spaces: null, runAt: now, dedupeKey: `${backupKind}:${at}` });
  });
}

/** Job: makes a backup, and removes those beyond the number that is kept. */
export async function makeScheduledBackup(app: App, job: RunningJob): Promise<void> {
  const { engine, clock, ids, config } = app;
  const at = clock.now();
  await using pulse = new Pulse(clock, job);
  try {
    const databaseId = await keepFirst(engine.db, databaseIdName, ids.uuid());
    await using store = await openBackupStore(config.backup, { databaseId, ids });
    await store.removeUnfinished(new Date(at.getTime() - unfinishedMs));
    await write(app, { store, name: backupName(databaseId, at), at, signal: pulse.signal });
    // Another try would make another backup: the next one of the schedule removes them, too.
    await removeOldest(store, config.backup.keep).catch(async (error: unknown) => {
      app.log.error({ err: error }, 'old backups not removed');
      await noteFailure(engine.db, { at: at.toISOString(), step: 'remove', error });
    });
  } catch (error) {
    if (!pulse.signal.aborted) {
      await noteFailure(engine.db, { at: at.toISOString(), step: 'write', error });
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
  await noteBackup(engine.db, { at: at.toISOString(), location, bytes, seconds });
  log.info({ location, bytes, seconds }, 'backup made');
}

/** Only after a new one is whole, and only those of this database that a schedule has made. */
async function removeOldest(store: ArchiveStore, keep: number): Promise<void> {
  const names = await store.list();
  for (const name of names.slice(0, Math.max(0, names.length - keep))) await store.remove(name);
}
