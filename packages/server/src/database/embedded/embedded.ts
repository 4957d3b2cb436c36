import fs from 'node:fs';
import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { FairSemaphore } from '../../kernel/fair-semaphore.ts';
import type { FileLock } from '../../kernel/file-lock.ts';
import type { CopyConnection } from '../backup/copy-connection.ts';
import { dropLeftoverSlot, FileBackups } from '../backup/file-backup.ts';
import { IntegrityReport } from '../durability/integrity-report.ts';
import type { EmbeddedSettings, Engine, EngineDeps } from '../engine.ts';
import { DatabaseDamaged, DiskFull, EngineFailed } from '../errors.ts';
import type { Tables } from '../tables.ts';
import { runTransaction, TransactionScope } from '../transaction.ts';
import { createCopyConnection } from './copy-connection.ts';
import { DiskSpaceMonitor } from './disk-space-monitor.ts';
import { createEmbeddedDialect } from './driver.ts';
import { initialise } from './initialise.ts';
import { lockFolder } from './lock.ts';
import { LostWriteDetector } from './lost-write-detector.ts';
import { findMissingDatabaseFiles } from './missing-files.ts';
import { Supervisor } from './supervisor.ts';
import { DatabaseThread } from './thread.ts';

const STATEMENT_TIMEOUT_MS = 30_000;

/** The embedded engine, with what only its tests ask. */
export interface EmbeddedEngine extends Engine {
  readonly kind: 'embedded';
  /** How many fsyncs the database has done since it was opened. */
  readonly fsyncs: number;
}

/**
 * Opens the embedded database of a folder, making it first when there is none.
 *
 * Throws DataFolderInUse when the folder is held, DiskFull without room, DatabaseDamaged when the
 * database does not open.
 * `execArgv` goes to the worker thread (tests load faults with it).
 */
export async function openEmbedded(
  settings: EmbeddedSettings,
  deps: EngineDeps,
  execArgv: string[] = [],
): Promise<EmbeddedEngine> {
  const dataDir = path.resolve(settings.dataDir);
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFolder(dataDir);
  const folder = path.join(dataDir, 'pg');
  const fsyncs = new SharedArrayBuffer(4);
  const { freeBytesMin = 0 } = settings;
  const room = new DiskSpaceMonitor({ folder: dataDir, freeBytesMin, log: deps.log });
  const integrity = new IntegrityReport(dataDir, deps.log);
  const watch = new LostWriteDetector({ dataDir, folder, integrity, log: deps.log });
  try {
    if (room.isDiskFull) throw new DiskFull(dataDir, freeBytesMin);
    if (!fs.existsSync(folder)) {
      deps.log.info({ dataDir }, 'making a new database');
      await initialise(folder).catch((error: unknown) => {
        throw room.detectDiskFull() ? new DiskFull(dataDir, freeBytesMin) : error;
      });
    }
    requireDatabase(folder);
    const supervisor = new Supervisor({
      start: (onFailure) => {
        watch.beforeOpen();
        const { wal } = watch;
        const onAnswer = (): void => watch.recordPosition();
        return new DatabaseThread({ folder, fsyncs, wal }, execArgv, { onFailure, onAnswer });
      },
      onOpen: async (query) => {
        watch.afterOpen();
        await dropLeftoverSlot(folder, query);
      },
      statementTimeoutMs: settings.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      log: deps.log,
      diskSpace: room,
      integrity,
      onFailure: (error) => deps.onFailure?.(error),
    });
    await supervisor.ready().catch((error: unknown) => {
      if (!(error instanceof EngineFailed)) throw error;
      if (room.detectDiskFull()) throw new DiskFull(dataDir, freeBytesMin);
      throw new DatabaseDamaged(folder, error.message);
    });
    deps.log.info({ dataDir }, 'embedded database is open');
    const parts = { folder, lock, room, integrity, watch };
    return createEngine(supervisor, new Int32Array(fsyncs), deps, parts);
  } catch (error) {
    await watch[Symbol.asyncDispose]();
    room[Symbol.dispose]();
    lock.release();
    throw error;
  }
}

/** Throws DatabaseDamaged where the database cannot open. */
function requireDatabase(folder: string): void {
  const [name] = findMissingDatabaseFiles(folder);
  if (name !== undefined) throw new DatabaseDamaged(folder, `${name} is missing`);
}

interface EngineResources {
  folder: string;
  lock: FileLock;
  room: DiskSpaceMonitor;
  integrity: IntegrityReport;
  watch: LostWriteDetector;
}

function createEngine(
  supervisor: Supervisor,
  fsyncs: Int32Array,
  deps: EngineDeps,
  { folder, lock, room, integrity, watch }: EngineResources,
): EmbeddedEngine {
  const scope = new TransactionScope();
  const turns = new FairSemaphore(1);
  const dialect = createEmbeddedDialect(() => supervisor.openSession(), scope, turns);
  const db = new Kysely<Tables>({ dialect });
  const copies = new FileBackups({
    folder,
    db,
    createSameRunCheck: () => supervisor.createSameRunCheck(),
    isDiskFull: () => room.isDiskFull,
  });
  let closing: Promise<void> | undefined;

  async function openCopyConnection(): Promise<CopyConnection> {
    scope.assertOutside();
    const release = await turns.acquire();
    try {
      return createCopyConnection(await supervisor.openSession(), release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async function close(): Promise<void> {
    scope.assertOutside();
    // Whoever came before has its turn; whoever comes later finds the engine closed.
    const done = await turns.acquireWhenIdle();
    // Before the checkpoint of the shutdown, behind which nothing is ever recorded.
    await watch[Symbol.asyncDispose]();
    await supervisor.close();
    done();
    room[Symbol.dispose]();
    lock.release();
  }

  return {
    kind: 'embedded',
    db,
    integrity,
    get fsyncs() {
      return Atomics.load(fsyncs, 0);
    },
    transaction: (fn, options) => runTransaction(db, scope, deps, fn, options),
    backup: () => copies.begin(),
    openCopyConnection,
    get isDiskFull() {
      return room.isDiskFull;
    },
    requireSchema: () => undefined,
    schemaChanged: null,
    get canWrite() {
      return !room.isDiskFull;
    },
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    [Symbol.asyncDispose]: () => {
      closing ??= close();
      return closing;
    },
  };
}
