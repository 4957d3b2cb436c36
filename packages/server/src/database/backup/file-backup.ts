import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { parseLsn } from '../durability/wal-position.ts';
import { walSegmentNames } from '../durability/wal-segments.ts';
import type { Db } from '../engine.ts';
import {
  BackupInProgress,
  BackupInterrupted,
  DatabaseBackupInvalid,
  isConnectionError,
} from '../errors.ts';
import { readAppliedMigrations } from '../migrate.ts';
import { CONTROL_FILE, listDataFiles } from './data-files.ts';
import {
  type AppliedMigration,
  type BackupEntry,
  type DatabaseBackup,
  toAsyncIterable,
} from './database-backup.ts';
import { readFileEntry } from './file-entry.ts';

/** Retains the WAL from the start of the backup, across checkpoints, until it is copied. */
const BACKUP_SLOT = 'mneme_backup';

export interface FileBackupSource {
  /** The database folder. */
  readonly folder: string;
  readonly db: Db;
  /**
   * Returns a function that reports whether the database has run without a restart since the call.
   * A restart ends the backup mode and drops the slot.
   */
  readonly createSameRunCheck: () => () => boolean;
  /** The disk is nearly full. */
  readonly isDiskFull: () => boolean;
}

interface StoppedBackup {
  readonly lsn: string;
  readonly labelfile: string;
  readonly spcmapfile: string;
}

/** SQLSTATE: the iteration has already stopped the backup. */
const NOT_IN_PROGRESS = '55000';

const DROP_SLOT = `select pg_drop_replication_slot(slot_name) from pg_replication_slots
  where slot_name = '${BACKUP_SLOT}'`;

/**
 * Drops the slot of a backup that a process did not finish: it would retain the WAL forever. Call
 * it after each start of the database, before any other statement.
 */
export async function dropLeftoverReplicationSlot(
  folder: string,
  query: (sql: string) => Promise<unknown>,
): Promise<void> {
  if (existsSync(path.join(folder, 'pg_replslot', BACKUP_SLOT))) await query(DROP_SLOT);
}

/** Starts backups of the embedded database's files, one at a time. */
export class FileBackups {
  readonly #source: FileBackupSource;
  #isCopying = false;

  constructor(source: FileBackupSource) {
    this.#source = source;
  }

  /**
   * Throws BackupInProgress while another backup runs. Iterating the entries throws
   * BackupInterrupted if the database restarts or its disk is nearly full.
   */
  async begin(): Promise<DatabaseBackup> {
    if (this.#isCopying) throw new BackupInProgress();
    this.#isCopying = true;
    const backup = new FileBackup(this.#source, () => {
      this.#isCopying = false;
    });
    try {
      await backup.start();
      return backup;
    } catch (error) {
      await backup[Symbol.asyncDispose]();
      throw error;
    }
  }
}

/**
 * A physical backup, as pg_basebackup creates it: the files are read while the database writes to
 * them, and the WAL from start to stop makes them consistent when the backup is opened. The
 * connection is free between its few short statements.
 */
class FileBackup implements DatabaseBackup {
  readonly kind = 'files';
  postgresVersion = '';
  approximateBytes = 0;
  migrations: readonly AppliedMigration[] = [];
  readonly #source: FileBackupSource;
  readonly #onEnd: () => void;
  #isSameRun: () => boolean = () => true;
  readonly #isFullAtStart: boolean;
  #startLsn = 0n;
  /** State that `#end` has to undo. */
  #hasSlot = false;
  #isInBackupMode = false;
  #isIterated = false;
  #ending: Promise<void> | undefined;

  constructor(source: FileBackupSource, onEnd: () => void) {
    this.#source = source;
    this.#onEnd = onEnd;
    this.#isFullAtStart = source.isDiskFull();
  }

  async start(): Promise<void> {
    const { version, bytes } = await this.#queryOne(sql<{ version: string; bytes: number }>`
      select current_setting('server_version') as version,
        pg_database_size(current_database()) as bytes`);
    this.postgresVersion = version;
    this.approximateBytes = bytes;
    this.migrations = await readAppliedMigrations(async (statement) => {
      return (await sql.raw<object>(statement).execute(this.#source.db)).rows;
    });
    this.#isSameRun = this.#source.createSameRunCheck();
    // Not a temporary slot: PostgreSQL drops those after any failed statement on the connection.
    await this.#queryOne(
      sql`select pg_create_physical_replication_slot(${BACKUP_SLOT}, true, false)`,
    );
    this.#hasSlot = true;
    const { lsn } = await this.#queryOne(sql<{ lsn: string }>`
      select pg_backup_start('mneme', true)::text as lsn`);
    this.#isInBackupMode = true;
    this.#startLsn = parseLsn(lsn) ?? 0n;
  }

  async *entries(): AsyncGenerator<BackupEntry> {
    if (this.#isIterated) throw new Error('The entries of a backup can be read only once');
    this.#isIterated = true;
    const { folder } = this.#source;
    const assertRunning = (): void => this.#assertRunning();
    for await (const name of listDataFiles(folder)) {
      this.#assertRunning();
      if (name.endsWith('/')) yield { name, size: 0, content: toAsyncIterable() };
      else yield* readFileEntry(folder, name, assertRunning);
    }
    yield await this.#readControlFile();
    const { lsn, labelfile, spcmapfile } = await this.#stop();
    if (spcmapfile !== '') throw new DatabaseBackupInvalid('The database has tablespaces');
    for (const name of await this.#walFiles(parseLsn(lsn) ?? 0n)) {
      let exists = false;
      for await (const entry of readFileEntry(folder, `pg_wal/${name}`, assertRunning)) {
        exists = true;
        yield entry;
      }
      if (!exists) throw new BackupInterrupted(`the WAL file ${name} was removed`);
    }
    this.#assertRunning();
    const label = Buffer.from(labelfile);
    yield { name: 'backup_label', size: label.length, content: toAsyncIterable(label) };
  }

  /** Read by a statement, since the database never reads and writes the file at the same time. */
  async #readControlFile(): Promise<BackupEntry> {
    const { bytes } = await this.#queryOne(sql<{ bytes: Uint8Array }>`
      select pg_read_binary_file(${CONTROL_FILE}) as bytes`);
    return { name: CONTROL_FILE, size: bytes.length, content: toAsyncIterable(bytes) };
  }

  async #stop(): Promise<StoppedBackup> {
    const stopped = await this.#queryOne(sql<StoppedBackup>`
      select lsn::text as lsn, labelfile, spcmapfile from pg_backup_stop(false)`);
    this.#isInBackupMode = false;
    return stopped;
  }

  async #walFiles(stopLsn: bigint): Promise<string[]> {
    const { timeline } = await this.#queryOne(sql<{ timeline: number }>`
      select timeline_id as timeline from pg_control_checkpoint()`);
    const present = await readdir(path.join(this.#source.folder, 'pg_wal'));
    return [
      ...present.filter((name) => name.endsWith('.history')),
      ...walSegmentNames(timeline, this.#startLsn, stopLsn),
    ];
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    try {
      if (this.#isInBackupMode) await this.#undo('select from pg_backup_stop(false)');
      if (this.#hasSlot) await this.#undo(DROP_SLOT);
    } finally {
      this.#onEnd();
    }
  }

  /** A restart of the database has undone this already, or will if the database is down now. */
  async #undo(statement: string): Promise<void> {
    if (!this.#isSameRun()) return;
    try {
      await sql.raw(statement).execute(this.#source.db);
    } catch (error) {
      const isUndone = (error as { code?: string }).code === NOT_IN_PROGRESS;
      if (this.#isSameRun() && !isUndone && !isConnectionError(error)) throw error;
    }
  }

  async #queryOne<R>(query: RawBuilder<R>): Promise<R> {
    this.#assertRunning();
    try {
      const { rows } = await query.execute(this.#source.db);
      return rows[0] as R;
    } catch (error) {
      this.#assertRunning(error);
      throw error;
    }
  }

  #assertRunning(cause?: unknown): void {
    if (this.#ending !== undefined) throw new BackupInterrupted('the backup was closed', { cause });
    if (!this.#isSameRun()) {
      throw new BackupInterrupted('the database was restarted', { cause });
    }
    // The WAL retained for the backup uses space that the server needs more.
    if (this.#source.isDiskFull() && !this.#isFullAtStart) {
      throw new BackupInterrupted('the disk is nearly full', { cause });
    }
  }
}
