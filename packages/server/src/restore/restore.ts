import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { BackupEntry, Engine, EngineDeps } from '../database/index.ts';
import { fromBlobEntryName, fromDatabaseEntryName } from '../domains/operations/index.ts';
import { pauseDeliveries } from '../events/delivery-pause.ts';
import { hasInstanceSettingsTable } from '../instance/instance-settings.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { ensureDataFolder } from '../kernel/data-folder.ts';
import { tryAcquireFileLock } from '../kernel/file-lock.ts';
import { createIds } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import { readFileIfExists, writePrivateFile } from '../kernel/private-file.ts';
import {
  type RestoreMarker,
  readRestoreMarker,
  removeRestoreMarker,
  writeRestoreMarker,
} from '../kernel/restore-marker.ts';
import {
  type Manifest,
  readArchiveEntries,
  type VerifiedArchive,
  verifyArchive,
} from '../providers/archive/index.ts';
import { openBlobStore } from '../providers/blobs/index.ts';
import { RestoreRefused } from './errors.ts';
import { type FinishRestoreResult, finishRestore } from './finish-restore.ts';
import { type LoadDatabaseOptions, loadDatabase } from './load-database.ts';
import { readSecretKey } from './read-secret-key.ts';
import { requireKnownSchema } from './schema.ts';
import { requireEmptyRestoreTarget } from './target.ts';

export type RestoreStep = 'checksums' | 'files' | 'database' | 'erasures' | 'verification';

export interface RestoreOptions {
  readonly file: string;
  readonly config: Config;
  readonly version: string;
  /** The folder of migrations. */
  readonly migrations: string;
  readonly log: Log;
  /** Whether to repeat erasures that followed the backup. */
  readonly eraseAgain: boolean;
  /** Receives the current step and its completed share, 0 to 1. */
  readonly onStep: (step: RestoreStep, share: number) => void;
}

export interface RestoreResult extends FinishRestoreResult {
  readonly manifest: Manifest;
  readonly blobs: number;
}

/**
 * Restores an archive into an empty data folder, and into an empty server database if one is
 * configured. A further call with the same file continues an interrupted restore.
 *
 * Throws ArchiveRejected, RestoreRefused, WrongPassphrase, and errors of the database.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { file, config, log, onStep } = options;
  onStep('checksums', 0);
  const archive = await verifyArchive(file);
  await requireKnownSchema(archive.manifest, options.migrations);
  await ensureDataFolder(config.dataDir);
  const lockName = path.join(config.dataDir, 'restore.lock');
  const lock = tryAcquireFileLock(lockName);
  if (lock === null) throw new RestoreRefused(`Another restore into ${config.dataDir} is running.`);
  try {
    await loadArchive(archive, options, { log });
    const finished = await finishRestore({ ...options, backup: file });
    await removeRestoreMarker(config.dataDir);
    return { ...finished, manifest: archive.manifest, blobs: archive.blobs.entries };
  } finally {
    lock.release();
    await rm(lockName, { force: true });
  }
}

const isSameBackup = (marker: RestoreMarker, { manifest }: VerifiedArchive): boolean =>
  marker.database_id === manifest.database.id && marker.created_at === manifest.created_at;

/** Loads the archive, unless an earlier call has loaded it. */
async function loadArchive(
  archive: VerifiedArchive,
  { file, config, migrations, onStep }: RestoreOptions,
  deps: EngineDeps,
): Promise<void> {
  const { database, created_at } = archive.manifest;
  const existing = await readRestoreMarker(config.dataDir);
  if (existing !== null && !isSameBackup(existing, archive)) {
    throw new RestoreRefused(
      `A restore of another backup into ${config.dataDir} is incomplete: empty the folder first.`,
    );
  }
  if (existing?.is_loaded) return;
  const secretKey = await resolveSecretKey(config, file, archive.manifest);
  const marker = { database_id: database.id, created_at, is_loaded: false };
  if (existing === null) {
    await requireEmptyRestoreTarget(config, deps);
    await writeRestoreMarker(config.dataDir, marker);
  }
  if (secretKey !== null) await writePrivateFile(secretKeyFile(config), `${secretKey}\n`);
  onStep('files', 0);
  await restoreBlobs(config, file, {
    ...deps,
    bytes: archive.blobs.bytes,
    onProgress: (share) => onStep('files', share),
  });
  onStep('database', 0);
  const entries = databaseEntries(file);
  const prepare = async (engine: Engine): Promise<void> => {
    // The earliest schemas send nothing, and have no table for the pause before the upgrade.
    if (!(await hasInstanceSettingsTable(engine.db))) return;
    await engine.transaction((tx) => pauseDeliveries(tx, systemClock.now()));
  };
  const { bytes } = archive.database;
  const onProgress = (share: number): void => onStep('database', share);
  const loading = { database, entries, migrations, bytes, onProgress, prepare };
  await loadDatabase(config, loading, deps);
  await writeRestoreMarker(config.dataDir, { ...marker, is_loaded: true });
}

const secretKeyFile = ({ dataDir }: Config): string => path.join(dataDir, 'secret-key');

/**
 * The key of the backup; null if the key is configured or in the data folder. Throws
 * RestoreRefused without any key, and WrongPassphrase.
 */
async function resolveSecretKey(
  config: Config,
  file: string,
  manifest: Manifest,
): Promise<string | null> {
  if (config.secretKey !== null || (await readFileIfExists(secretKeyFile(config))) !== null) {
    return null;
  }
  if (!manifest.has_secret_key) {
    throw new RestoreRefused(
      'The backup does not contain the secret key: set MNEME_SECRET_KEY to the key of the ' +
        'installation (the file secret-key of its data folder).',
    );
  }
  const { passphrase } = config.backup;
  if (passphrase === null) {
    throw new RestoreRefused(
      'The secret key in the backup is encrypted: set MNEME_BACKUP_PASSPHRASE, or ' +
        'MNEME_SECRET_KEY to the key itself.',
    );
  }
  return readSecretKey(file, passphrase);
}

async function restoreBlobs(
  config: Config,
  file: string,
  { log, bytes, onProgress }: EngineDeps & Pick<LoadDatabaseOptions, 'bytes' | 'onProgress'>,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const clock = systemClock;
  const blobs = await openBlobStore(
    config,
    { ids: createIds(clock), clock, log: log as Log },
    opened,
  );
  let written = 0;
  for await (const { name, size, content } of readArchiveEntries(file)) {
    const blob = fromBlobEntryName(name);
    if (blob === null) continue;
    await blobs.put(blob, content);
    written += size;
    onProgress(written / Math.max(1, bytes));
  }
}

async function* databaseEntries(file: string): AsyncGenerator<BackupEntry> {
  for await (const entry of readArchiveEntries(file)) {
    const name = fromDatabaseEntryName(entry.name);
    if (name !== null) yield { ...entry, name };
  }
}
