import {
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderInUse,
  DiskFull,
  type Engine,
  EngineFailed,
  MigrationError,
  readSchemaState,
  type SchemaState,
} from '../database/index.ts';
import { assertOwnDataFolder } from '../domains/accounts/index.ts';
import {
  type CheckResult,
  checkBackups,
  checkJobs,
  checkPausedQueues,
  checkVersions,
  type DiagnosisReport,
  type Problem,
} from '../domains/operations/index.ts';
import { migrationsFolder, openConfiguredEngine } from '../instance/open-database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { DataFolderForeign } from '../kernel/data-folder-owner.ts';
import type { Ids } from '../kernel/ids.ts';
import { createLog } from '../kernel/log.ts';
import { checkDatabasePages } from './database-pages.ts';
import { toProblem } from './problem.ts';

export interface DatabaseCheckOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Skips checks that read the whole database. */
  readonly isQuick: boolean;
  /** Acknowledges existing findings. */
  readonly acknowledge: boolean;
  readonly onProgress: (megabytes: number) => void;
}

/**
 * Opens the database like a start, including recovery, but neither migrates nor serves it.
 * Returns false if the database is unusable.
 */
export async function checkDatabase(
  report: DiagnosisReport,
  config: Config,
  options: DatabaseCheckOptions,
): Promise<boolean> {
  await using opening = new AsyncDisposableStack();
  try {
    const log = createLog('silent');
    const engine = opening.use(await openConfiguredEngine(config, log, options.ids));
    await assertOwnDataFolder({ config, engine, ids: options.ids });
    await engine.integrity.confirmOwnership();
    report.add('database', {});
    return await checkOpenDatabase(report, engine, config.backup.schedule, options);
  } catch (error) {
    const result = toCheckResult(error);
    if (result === null) throw error;
    report.add('database', result);
    return false;
  }
}

async function checkOpenDatabase(
  report: DiagnosisReport,
  engine: Engine,
  schedule: string | null,
  { clock, isQuick, acknowledge, onProgress }: DatabaseCheckOptions,
): Promise<boolean> {
  const schema = await readSchema(engine);
  if ('problem' in schema) report.add('schema', { problems: [schema.problem] });
  const state = 'problem' in schema ? undefined : schema;
  await report.run('versions', () => checkVersions(engine, state));
  if (!isQuick) await report.run('pages', () => checkDatabasePages(engine, onProgress));
  if (acknowledge) engine.integrity.acknowledge(null);
  report.add('integrity', checkStoredFindings(engine));
  report.addStoredFindings(engine.integrity.findings);
  if (state !== undefined && state.version > 0) {
    await report.run('jobs', () => checkJobs(engine.db, clock.now()));
    await report.run('queues', () => checkPausedQueues(engine.db));
    await report.run('backups', () => checkBackups(engine.db, schedule, clock.now()));
  }
  return !('problem' in schema);
}

async function readSchema(engine: Engine): Promise<SchemaState | { problem: Problem }> {
  try {
    return await readSchemaState(engine, migrationsFolder);
  } catch (error) {
    if (error instanceof DatabaseTooNew) return { problem: toProblem(error, 'newer_schema') };
    if (error instanceof MigrationError) return { problem: toProblem(error, 'changed_migration') };
    throw error;
  }
}

/** Counts stored findings; the report lists them after the checks. */
function checkStoredFindings({ integrity }: Engine): CheckResult {
  const open = integrity.findings.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  return open.length === 0 ? {} : { isOk: false, detail: `${open.length} to acknowledge` };
}

/** Null for errors that a user cannot act on. */
function toCheckResult(error: unknown): CheckResult | null {
  if (error instanceof DataFolderInUse) return { problems: [databaseInUse] };
  if (error instanceof DataFolderForeign) {
    return { problems: [toProblem(error, 'foreign_folder')] };
  }
  // The disk check says what to do.
  if (error instanceof DiskFull) return { isOk: false, detail: 'not opened: the disk is full' };
  if (error instanceof DatabaseUnsuitable || error instanceof EngineFailed) {
    return { problems: [toProblem(error, 'unusable_database')] };
  }
  return null;
}

const databaseInUse: Problem = {
  kind: 'database_in_use',
  severity: 'warning',
  message: 'A running server uses the data folder, so the database was not checked.',
  action: 'Run `mneme doctor` with the URL and the admin key of that server, or stop it first.',
};
