import fs from 'node:fs';
import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { FairSemaphore } from '../../kernel/fair-semaphore.ts';
import type { FileLock } from '../../kernel/file-lock.ts';
import type { CopyConnection } from '../backup/copy-connection.ts';
import { dropLeftoverReplicationSlot, FileBackups } from '../backup/file-backup.ts';
import { IntegrityFindings } from '../durability/integrity-findings.ts';
import type { EmbeddedSettings, Engine, EngineDeps } from '../engine.ts';
import { DatabaseDamaged, DiskFull, EngineFailed } from '../errors.ts';
import { singleProcess } from '../process-group.ts';
import type { Tables } from '../tables.ts';
import { statementTracing } from '../trace-statements.ts';
import { runTransaction, TransactionScope } from '../transaction.ts';
import { createCopyConnection } from './copy-connection.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { DatabaseThread } from './database-thread.ts';
import { DiskSpaceMonitor } from './disk-space-monitor.ts';
import { createEmbeddedDialect } from './driver.ts';
import { copyDatabase, initialiseDatabase } from './initialise-database.ts';
import { LostWriteDetector } from './lost-write-detector.ts';
import { findMissingDatabaseFiles } from './missing-files.ts';
import { DatabaseSupervisor } from './supervisor.ts';

const STATEMENT_TIMEOUT_MS = 30_000;

/** The embedded engine with additional members for tests. */
export interface EmbeddedEngine extends Engine {
  readonly kind: 'embedded';
  /** Number of fsyncs since the database was opened. */
  readonly fsyncs: number;
}

/**
 * Opens the embedded database of a folder, and creates it first if necessary.
 *
 * Throws DataFolderInUse if another process holds the folder, DiskFull without enough free space,
 * DatabaseDamaged if the database does not open. `execArgv` is passed to the worker thread (tests
 * use it to inject failures).
 */
export async function openEmbedded(
  settings: EmbeddedSettings,
  deps: EngineDeps,
  execArgv: string[] = [],
): Promise<EmbeddedEngine> {
  const dataDir = path.resolve(settings.dataDir);
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataFolder(dataDir);
  const folder = path.join(dataDir, 'pg');
  const fsyncs = new SharedArrayBuffer(4);
  const { freeBytesMin = 0 } = settings;
  const diskSpace = new DiskSpaceMonitor({ folder: dataDir, freeBytesMin, log: deps.log });
  const integrity = new IntegrityFindings(dataDir, deps.log);
  const lostWrites = new LostWriteDetector({ dataDir, folder, integrity, log: deps.log });
  try {
    if (diskSpace.isDiskFull) throw new DiskFull(dataDir, freeBytesMin);
    if (!fs.existsSync(folder)) {
      deps.log.info({ dataDir }, 'creating a new database');
      const created = settings.template
        ? copyDatabase(settings.template, folder)
        : initialiseDatabase(folder);
      await created.catch((error: unknown) => {
        throw diskSpace.detectDiskFull() ? new DiskFull(dataDir, freeBytesMin) : error;
      });
    }
    requireDatabase(folder);
    const supervisor = new DatabaseSupervisor({
      start: (onFailure) => {
        lostWrites.beforeOpen();
        const { wal } = lostWrites;
        const onResponse = (): void => lostWrites.recordPosition();
        return new DatabaseThread({ folder, fsyncs, wal }, execArgv, { onFailure, onResponse });
      },
      onOpen: async (query) => {
        lostWrites.afterOpen();
        await dropLeftoverReplicationSlot(folder, query);
      },
      statementTimeoutMs: settings.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      log: deps.log,
      diskSpace,
      integrity,
      onFailure: (error) => deps.onFailure?.(error),
    });
    await supervisor.ready().catch((error: unknown) => {
      if (!(error instanceof EngineFailed)) throw error;
      if (diskSpace.detectDiskFull()) throw new DiskFull(dataDir, freeBytesMin);
      throw new DatabaseDamaged(folder, error.message);
    });
    deps.log.info({ dataDir }, 'embedded database opened');
    const parts = { folder, lock, diskSpace, integrity, lostWrites };
    return createEngine(supervisor, new Int32Array(fsyncs), deps, parts);
  } catch (error) {
    await lostWrites[Symbol.asyncDispose]();
    diskSpace[Symbol.dispose]();
    lock.release();
    throw error;
  }
}

/** Throws DatabaseDamaged if required files are missing. */
function requireDatabase(folder: string): void {
  const [name] = findMissingDatabaseFiles(folder);
  if (name !== undefined) throw new DatabaseDamaged(folder, `${name} is missing`);
}

interface EngineResources {
  folder: string;
  lock: FileLock;
  diskSpace: DiskSpaceMonitor;
  integrity: IntegrityFindings;
  lostWrites: LostWriteDetector;
}

function createEngine(
  supervisor: DatabaseSupervisor,
  fsyncs: Int32Array,
  deps: EngineDeps,
  { folder, lock, diskSpace, integrity, lostWrites }: EngineResources,
): EmbeddedEngine {
  const scope = new TransactionScope();
  const connectionQueue = new FairSemaphore(1);
  const dialect = createEmbeddedDialect(() => supervisor.openSession(), scope, connectionQueue);
  const db = new Kysely<Tables>({ dialect, ...statementTracing(scope, deps) });
  const backups = new FileBackups({
    folder,
    db,
    createSameRunCheck: () => supervisor.createSameRunCheck(),
    isDiskFull: () => diskSpace.isDiskFull,
  });
  let closing: Promise<void> | undefined;

  async function openCopyConnection(): Promise<CopyConnection> {
    scope.assertOutside();
    const release = await connectionQueue.acquire();
    try {
      return createCopyConnection(await supervisor.openSession(), release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async function close(): Promise<void> {
    scope.assertOutside();
    // Requests that are already queued complete first; later ones fail with EngineClosed.
    const release = await connectionQueue.acquireWhenIdle();
    // Before the shutdown checkpoint: positions after it are never recorded.
    await lostWrites[Symbol.asyncDispose]();
    await supervisor.close();
    release();
    diskSpace[Symbol.dispose]();
    lock.release();
  }

  return {
    kind: 'embedded',
    isDistributed: false,
    processes: singleProcess,
    db,
    connections: null,
    unavailableNodes: [],
    integrity,
    get fsyncs() {
      return Atomics.load(fsyncs, 0);
    },
    transaction: (fn, options) => runTransaction(db, scope, deps, fn, options),
    backup: () => backups.begin(),
    openCopyConnection,
    get isDiskFull() {
      return diskSpace.isDiskFull;
    },
    requireSchema: () => undefined,
    schemaChanged: null,
    get canWrite() {
      return !diskSpace.isDiskFull;
    },
    ping: async () => void (await sql`select 1`.execute(db)),
    [Symbol.asyncDispose]: () => {
      closing ??= close();
      return closing;
    },
  };
}
