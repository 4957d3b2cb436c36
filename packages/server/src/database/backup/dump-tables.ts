import type { Engine } from '../engine.ts';
import { migrationLockKey, readAppliedMigrations } from '../migrate.ts';
import { placementOf } from '../placement.ts';
import type { CopyConnection } from './copy-connection.ts';
import {
  type AppliedMigration,
  type BackupEntry,
  type DatabaseBackup,
  toAsyncIterable,
} from './database-backup.ts';
import { batchRows } from './row-batches.ts';
import { queryOfTable, readTableList, type TableList, tableWithColumns } from './table-list.ts';

/**
 * Entries are buffered in memory: with 8 MB, the process used a third more memory during a backup.
 */
const ENTRY_BYTES_MAX = 1024 * 1024;
export const TABLE_LIST_NAME = 'tables.json';
const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/**
 * Starts a backup of the tables in one read-only snapshot, of a distributed database in one of each
 * node. On a server, statements continue and migrations wait. The embedded engine runs nothing else
 * until the backup is disposed.
 *
 * Entries: `tables.json` (see `TableList`), then `tables/<name>/000001.copy` … with rows in COPY's
 * text format, at most 1 MB each unless a single row is larger.
 */
export async function dumpTables(engine: Engine): Promise<DatabaseBackup> {
  const connection = await engine.openCopyConnection();
  try {
    // A session-level lock, acquired before the snapshot: the snapshot includes a running migration
    // completely.
    if (engine.kind === 'server') {
      await connection.query(`select pg_advisory_lock_shared(${migrationLockKey})`);
    }
    if (engine.isDistributed) await beginOnEachNode(engine, connection);
    else await connection.query(BEGIN_SNAPSHOT);
    const migrations = await readAppliedMigrations((statement) => connection.query(statement));
    const list = await readTableList(connection);
    const { isDistributed } = engine;
    const size = await readSize(connection);
    return new TableBackup(connection, { isDistributed, migrations, list, ...size });
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Begins with one snapshot of each node. No account is created or removed while they are taken:
 * rows of an account that another snapshot lacks could not be restored.
 */
async function beginOnEachNode(engine: Engine, connection: CopyConnection): Promise<void> {
  // Of several connections to a node each would have a snapshot of its own.
  await connection.query('set citus.max_adaptive_executor_pool_size = 1');
  await using locking = await engine.openCopyConnection();
  await locking.query('begin');
  await locking.query('lock table accounts in share mode');
  await connection.query(BEGIN_SNAPSHOT);
  await connection.query('select count(*) from account_positions');
}

interface Size {
  readonly postgresVersion: string;
  readonly approximateBytes: number;
}

async function readSize(connection: CopyConnection): Promise<Size> {
  const [size] = await connection.query<Size>(`
    select current_setting('server_version') as "postgresVersion",
      pg_database_size(current_database()) as "approximateBytes"`);
  if (!size) throw new Error('PostgreSQL returned no row for the database size');
  return size;
}

interface TableBackupParts extends Size {
  readonly isDistributed: boolean;
  readonly migrations: readonly AppliedMigration[];
  readonly list: TableList;
}

class TableBackup implements DatabaseBackup {
  readonly kind = 'tables';
  readonly postgresVersion: string;
  readonly migrations: readonly AppliedMigration[];
  readonly approximateBytes: number;
  readonly #connection: CopyConnection;
  readonly #list: TableList;
  readonly #isDistributed: boolean;
  #isIterated = false;

  constructor(connection: CopyConnection, parts: TableBackupParts) {
    this.#connection = connection;
    this.#list = parts.list;
    this.#isDistributed = parts.isDistributed;
    this.postgresVersion = parts.postgresVersion;
    this.migrations = parts.migrations;
    this.approximateBytes = parts.approximateBytes;
  }

  async *entries(): AsyncGenerator<BackupEntry> {
    if (this.#isIterated) throw new Error('The entries of a backup can be read only once');
    this.#isIterated = true;
    const list = Buffer.from(`${JSON.stringify(this.#list, null, 2)}\n`);
    yield { name: TABLE_LIST_NAME, size: list.length, content: toAsyncIterable(list) };
    for (const table of this.#list.tables) {
      const output = this.#connection.copyOut(`copy ${this.#sourceOf(table)} to stdout`);
      let number = 0;
      for await (const { bytes, chunks } of batchRows(output, ENTRY_BYTES_MAX)) {
        number += 1;
        const name = `tables/${table.name}/${String(number).padStart(6, '0')}.copy`;
        yield { name, size: bytes, content: toAsyncIterable(...chunks) };
      }
    }
  }

  /**
   * Citus copies a table through a connection to each of its nodes. To the coordinator that is
   * another one, whose snapshot would be a later one.
   */
  #sourceOf(table: TableList['tables'][number]): string {
    const isOnCoordinator = this.#isDistributed && placementOf(table.name) !== 'tenant';
    return isOnCoordinator ? queryOfTable(table) : tableWithColumns(table);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }
}
