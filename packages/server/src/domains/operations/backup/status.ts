import type { Health } from '@mneme/contract';
import type { Db } from '../../../database/index.ts';
import {
  deleteInstanceSetting,
  getOrCreateInstanceSetting,
  readInstanceSetting,
  setInstanceSetting,
} from '../../../instance/instance-settings.ts';
import type { App } from '../../ctx.ts';
import type { CheckResult, Problem } from '../diagnosis/report.ts';
import { nextScheduledTime } from './schedule.ts';

const scheduleStartKey = 'backup_planned_since';
const lastBackupKey = 'backup_last';
const backupFailureKey = 'backup_failure';
/** A backup counts as missing after this time. */
const graceMs = 6 * 3_600_000;

interface StoredBackup {
  readonly at: string;
  /** A path, or `s3://bucket/key`. */
  readonly location: string;
  readonly bytes: number;
  readonly seconds: number;
}

interface Failure {
  readonly at: string;
  /** `write`: of the backup itself; `remove`: of older backups after it. */
  readonly step: 'write' | 'remove';
  readonly reason: string;
}

export interface BackupStatus {
  /** When the server first followed a schedule; null: never. */
  readonly scheduledSince: Date | null;
  readonly last: (Omit<StoredBackup, 'location'> & { readonly location: string | null }) | null;
  /** Of the last attempt; null if it succeeded. */
  readonly failure: Failure | null;
}

/** Records the time from which a first backup can be missing. */
export const recordScheduleStart = (db: Db, now: Date): Promise<unknown> =>
  getOrCreateInstanceSetting(db, scheduleStartKey, now.toISOString());

export async function recordBackup(db: Db, backup: StoredBackup): Promise<void> {
  await setInstanceSetting(db, lastBackupKey, JSON.stringify(backup));
  await deleteInstanceSetting(db, backupFailureKey);
}

export async function recordBackupFailure(
  db: Db,
  { error, ...failed }: Omit<Failure, 'reason'> & { readonly error: unknown },
): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  await setInstanceSetting(db, backupFailureKey, JSON.stringify({ ...failed, reason }));
}

async function readBackupStatus(db: Db): Promise<BackupStatus> {
  const [since, last, failure] = [
    await readInstanceSetting(db, scheduleStartKey),
    await readInstanceSetting(db, lastBackupKey),
    await readInstanceSetting(db, backupFailureKey),
  ];
  return {
    scheduledSince: since === null ? null : new Date(since),
    last: last === null ? null : (JSON.parse(last) as StoredBackup),
    failure: failure === null ? null : (JSON.parse(failure) as Failure),
  };
}

/** Null before the first scheduled backup. */
export async function readLastBackupTime(db: Db): Promise<Date | null> {
  const stored = await readInstanceSetting(db, lastBackupKey);
  return stored === null ? null : new Date((JSON.parse(stored) as StoredBackup).at);
}

/**
 * The health check of scheduled backups. It omits the location of the last one, because the health
 * needs no key.
 */
export async function checkBackupHealth({ engine, config, clock }: App): Promise<Health['checks']> {
  const { schedule } = config.backup;
  if (schedule === null) return {};
  const status = await readBackupStatus(engine.db);
  const last = status.last && { ...status.last, location: null };
  const { detail = '', problems = [] } = evaluateBackups(
    { ...status, last },
    schedule,
    clock.now(),
  );
  return { backups: { ok: problems.length === 0, detail } };
}

/** Checks scheduled backups: the last attempt failed, or a due backup is missing. */
export const checkBackups = async (
  db: Db,
  schedule: string | null,
  now: Date,
): Promise<CheckResult> => evaluateBackups(await readBackupStatus(db), schedule, now);

export function evaluateBackups(
  { scheduledSince, last, failure }: BackupStatus,
  schedule: string | null,
  now: Date,
): CheckResult {
  const lastText = describeLast(last);
  if (schedule === null) {
    return { detail: `No backups are scheduled.${last === null ? '' : ` ${lastText}`}` };
  }
  if (failure !== null) {
    const reason = failure.reason.replace(/\.$/, '');
    const what =
      failure.step === 'write'
        ? `The backup of ${failure.at} failed`
        : `Backups older than the one of ${failure.at} were not removed`;
    const message = `${what}: ${reason}. ${lastText}`;
    return withProblem({ kind: 'backup_failed', severity: 'error', message, action: retry });
  }
  const from = last === null ? scheduledSince : new Date(last.at);
  const due = from && nextScheduledTime(schedule, from);
  if (due === null || due.getTime() + graceMs >= now.getTime()) return { detail: lastText };
  const message = `The backup of ${due.toISOString()} is missing. ${lastText}`;
  return withProblem({ kind: 'backup_missing', severity: 'warning', message, action: start });
}

function describeLast(last: BackupStatus['last']): string {
  if (last === null) return 'No backup has been created yet.';
  const where = last.location === null ? '' : `: ${last.location}`;
  return `The last backup is of ${last.at}${where}.`;
}

const withProblem = (problem: Problem): CheckResult => ({
  detail: problem.message,
  problems: [problem],
});

const retry =
  'Fix the cause: check MNEME_BACKUP_DIR or MNEME_BACKUP_BUCKET, the permissions and the free ' +
  'space. The server retries up to three times, and at the next time of the schedule.';
const start =
  'Start the server: it creates a missed backup within minutes. If it is running, check its log ' +
  'for errors of the job queue, and for a backup that takes long.';
