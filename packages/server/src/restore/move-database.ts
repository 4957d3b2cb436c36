import { rename } from 'node:fs/promises';
import path from 'node:path';
import { createServiceComponents } from '../context.ts';
import {
  countOtherConnections,
  type DatabaseBackup,
  deleteRecordedWalPosition,
  dumpTables,
  type Engine,
  type EngineDeps,
  openEngine,
} from '../database/index.ts';
import { type VerificationResult, verifyOffline } from '../domains/operations/index.ts';
import { markDatabaseMoved, readDatabaseMovedTo } from '../instance/database-moved.ts';
import { databaseIdKey, readInstanceSetting } from '../instance/instance-settings.ts';
import { migrationsFolder } from '../instance/open-database.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { requireDataFolderAccess } from '../kernel/data-folder.ts';
import {
  hasEmbeddedDatabase,
  replaceDataFolderOwner,
  requireMatchingDatabase,
} from '../kernel/data-folder-owner.ts';
import { fsyncFolder } from '../kernel/fsync-folder.ts';
import type { Log } from '../kernel/log.ts';
import { consistencyChecks } from '../modules.ts';
import { RestoreRefused } from './errors.ts';
import {
  type LoadDatabaseOptions,
  loadDatabase,
  loadIntoScratchFolder,
  promoteScratchFolder,
  restoreScratchFolder,
} from './load-database.ts';
import { requireEmptyDatabase } from './target.ts';

export type MoveDatabaseStep = 'copy' | 'verification' | 'switch';

export interface MoveDatabaseOptions {
  /** The configuration of the server, which names the current database. */
  readonly config: Config;
  /** A `postgres://` URL; null: the embedded database of the data folder. */
  readonly to: string | null;
  readonly version: string;
  readonly log: Log;
  readonly onStep: (step: MoveDatabaseStep, share: number) => void;
}

export interface MoveDatabaseResult {
  readonly verification: VerificationResult;
  /** The folder of the previous embedded database; null if the source is a server database. */
  readonly previousDatabaseFolder: string | null;
}

/**
 * Moves the data to the other engine: copies the database, verifies the copy, and then assigns the
 * data folder to it. Files stay in the data folder. The source is unchanged until the last step;
 * from then on the source does not start. A further call completes an interrupted step.
 *
 * Throws RestoreRefused if a server still runs or the target is not empty, and DataFolderForeign if
 * the source is not the database of the data folder.
 */
export async function moveDatabase(options: MoveDatabaseOptions): Promise<MoveDatabaseResult> {
  const { config, to, log, onStep } = options;
  if ((to === null) === (config.databaseUrl === null)) {
    throw new RestoreRefused(
      to === null
        ? 'The data is already in the embedded database: MNEME_DATABASE_URL is not set.'
        : 'The data is already in a server database: MNEME_DATABASE_URL is set.',
    );
  }
  await requireDataFolderAccess(config.dataDir);
  const deps = { log };
  const engine = to === null ? 'embedded' : 'server';
  await using source = await openSource(config, deps);
  const databaseId = await readInstanceSetting(source.db, databaseIdKey);
  if (databaseId === null) {
    throw new RestoreRefused('The database is empty: there is nothing to move.');
  }
  await requireMatchingDatabase(config, databaseId);
  if ((await readDatabaseMovedTo(source.db)) !== engine) {
    if (to === null) requireNoEmbeddedDatabase(config);
    else await requireEmptyDatabase(to, deps);
    onStep('copy', 0);
    await copyDatabaseTo(config, to, source, {
      ...deps,
      onProgress: (share) => onStep('copy', share),
    });
  }
  await deleteRecordedWalPosition(config.dataDir, engine);
  onStep('verification', 0);
  const verification = await verifyCopy(options);
  if (verification.faults_total > 0) return { verification, previousDatabaseFolder: null };
  onStep('switch', 0);
  await source.transaction((tx) => markDatabaseMoved(tx, { to: engine }));
  await source[Symbol.asyncDispose]();
  if (to === null && hasScratch(config)) await promoteScratchFolder(config.dataDir);
  await replaceDataFolderOwner(config.dataDir, { engine, databaseId });
  // Last, because an interrupted move can only be repeated while the source is still there.
  const previousDatabaseFolder = to === null ? null : await moveDatabaseAside(config.dataDir);
  return { verification, previousDatabaseFolder };
}

const hasScratch = ({ dataDir }: Config): boolean =>
  hasEmbeddedDatabase(restoreScratchFolder(dataDir));

async function openSource({ dataDir, databaseUrl }: Config, deps: EngineDeps): Promise<Engine> {
  if (databaseUrl === null) {
    if (hasEmbeddedDatabase(dataDir)) return openEngine({ kind: 'embedded', dataDir }, deps);
    throw new RestoreRefused(
      `${dataDir} has no embedded database: set MNEME_DATA_DIR to the data folder of the server.`,
    );
  }
  const engine = await openEngine({ kind: 'server', url: databaseUrl, poolMax: 2 }, deps);
  if ((await countOtherConnections(engine.db)) === 0) return engine;
  await engine[Symbol.asyncDispose]();
  throw new RestoreRefused('Servers still use the database: stop them first.');
}

function requireNoEmbeddedDatabase({ dataDir }: Config): void {
  if (!hasEmbeddedDatabase(dataDir)) return;
  throw new RestoreRefused(
    `The data folder ${dataDir} already has an embedded database: move its folder pg away first.`,
  );
}

async function copyDatabaseTo(
  { dataDir }: Config,
  databaseUrl: string | null,
  source: Engine,
  { onProgress, ...deps }: EngineDeps & Pick<LoadDatabaseOptions, 'onProgress'>,
): Promise<void> {
  await using copy: DatabaseBackup = await dumpTables(source);
  const loading = {
    database: { kind: 'tables', schema_version: copy.migrations.length },
    entries: copy.entries(),
    migrations: migrationsFolder,
    bytes: copy.approximateBytes,
    onProgress,
    prepare: async () => {},
  } as const;
  // An embedded copy stays in the scratch folder until the last step: in the data folder it would
  // prevent a start of the source after an interrupted move.
  if (databaseUrl === null) await loadIntoScratchFolder(dataDir, loading, deps);
  else await loadDatabase({ dataDir, databaseUrl }, loading, deps);
}

/** Opens the copy like a server. No worker starts, so nothing is sent. */
async function verifyCopy({ config, to, version, log, onStep }: MoveDatabaseOptions) {
  const backup = { ...config.backup, beforeUpgrade: false };
  const moved = { ...config, databaseUrl: to, allowOtherEngine: true, backup };
  const dataDir = hasScratch(config) ? restoreScratchFolder(config.dataDir) : config.dataDir;
  const engine = to === null ? await openEngine({ kind: 'embedded', dataDir }, { log }) : null;
  await using context = await createServiceComponents(moved, version, {
    log,
    ...(engine && { engine }),
  });
  return await verifyOffline(context.app, consistencyChecks, (share) =>
    onStep('verification', share),
  );
}

/** Renames the database, so that a start without MNEME_DATABASE_URL does not use old data. */
async function moveDatabaseAside(dataDir: string): Promise<string> {
  const target = path.join(
    dataDir,
    `pg.moved-${systemClock.now().toISOString().replace(/[:.]/g, '-')}`,
  );
  await rename(path.join(dataDir, 'pg'), target);
  await fsyncFolder(dataDir);
  return target;
}
