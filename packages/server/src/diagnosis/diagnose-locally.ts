import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Diagnosis } from '@mneme/contract';
import {
  type CheckResult,
  checkBlobs,
  checkDisk,
  checkNewestBackup,
  checkSecrets,
  checkSettings,
  DiagnosisReport,
} from '../domains/operations/index.ts';
import { type Config, ConfigError, readConfig } from '../kernel/config.ts';
import { type Environment, findUnknownSettings } from '../kernel/settings.ts';
import { createFolderBlobStore, createS3BlobStore } from '../providers/blobs/index.ts';
import { checkDataFolder } from './data-folder.ts';
import { checkDatabase, type DatabaseCheckOptions } from './database.ts';

/**
 * Checks an installation whose service is stopped: settings, data folder, disk, files, and the
 * database, which it opens but does not migrate.
 */
export async function diagnoseLocally(
  env: Environment,
  options: DatabaseCheckOptions,
): Promise<Diagnosis> {
  const report = new DiagnosisReport(options.clock.now());
  const config = readSettings(report, env);
  if (config === null) return report.toDiagnosis('unavailable', null);
  const { dataDir } = config;
  const folder = await checkDataFolder(config);
  report.add('folder', folder);
  const isFolderUsable = !folder.problems?.some(({ severity }) => severity === 'error');
  if (existsSync(dataDir)) {
    await report.run('secrets', () => checkSecrets(config));
    await report.run('disk', () => checkDisk(config));
  }
  if (isFolderUsable) {
    await report.run('blobs', () => checkConfiguredBlobs(config, options));
  }
  const isUsable = isFolderUsable && (await isDatabaseUsable(report, config, options));
  // With a usable database, its check has reported the last backup.
  if (!isUsable) await report.run('backups', () => checkNewestBackup(config, options.ids));
  if (!isUsable) return report.toDiagnosis('unavailable', dataDir);
  return report.toDiagnosis(report.hasFindings ? 'degraded' : 'ok', dataDir);
}

async function isDatabaseUsable(
  report: DiagnosisReport,
  config: Config,
  options: DatabaseCheckOptions,
): Promise<boolean> {
  let isUsable = false;
  await report.run('database', async () => {
    isUsable = await checkDatabase(report, config, options);
    return {};
  });
  return isUsable;
}

function readSettings(report: DiagnosisReport, env: Environment): Config | null {
  try {
    const { config } = readConfig(env);
    const { unknownSettings: unknown, ignoredSettings: ignored } = config;
    report.add('settings', checkSettings({ unknown, ignored }));
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = { unknown: findUnknownSettings(env), invalid: error.issues };
    report.add('settings', checkSettings(problems));
    return null;
  }
}

async function checkConfiguredBlobs(
  { dataDir, media: { s3 } }: Config,
  deps: DatabaseCheckOptions,
): Promise<CheckResult> {
  if (s3 === null) return checkBlobs(createFolderBlobStore(path.join(dataDir, 'blobs'), deps));
  const folder = path.join(dataDir, 'blobs-under-way');
  await using bucket = await createS3BlobStore(s3, { ...deps, folder });
  return checkBlobs(bucket);
}
