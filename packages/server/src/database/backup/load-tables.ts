import type { Engine } from '../engine.ts';
import { DatabaseBackupInvalid } from '../errors.ts';
import type { CopyConnection } from './copy-connection.ts';
import type { BackupEntry } from './database-backup.ts';
import {
  quoteIdentifier,
  readTableList,
  type TableList,
  type TableListEntry,
  tableWithColumns,
} from './table-list.ts';

/**
 * Loads a `tables` backup. In: a database without other users, with exactly the migrations of the
 * backup applied (`migrate` with `upTo`); its list of tables; and the entries after the list.
 * Replaces every row of these tables. On a server this is one transaction. On the embedded engine
 * each entry is one transaction, since a checkpoint can shorten the WAL only between transactions.
 *
 * Returns the number of rows. Throws DatabaseBackupInvalid if the tables or columns of the database
 * and of the backup differ, or if an entry is not in the list.
 */
export async function loadTables(
  engine: Engine,
  list: TableList,
  entries: AsyncIterable<Pick<BackupEntry, 'name' | 'content'>>,
): Promise<{ rows: number }> {
  await using connection = await engine.openCopyConnection();
  const isOneTransaction = engine.kind === 'server';
  if (isOneTransaction) await connection.query('begin');
  requireSameTables(list, await readTableList(connection));
  const names = list.tables.map(({ name }) => quoteIdentifier(name)).join(', ');
  if (names !== '') await connection.query(`truncate ${names}`);
  const loader = new Loader(connection, list.tables);
  for await (const entry of entries) await loader.load(entry);
  for (const { name, last_value, is_called } of list.sequences) {
    await connection.query(
      `select setval('${quoteIdentifier(name)}', ${last_value}, ${is_called})`,
    );
  }
  if (isOneTransaction) await connection.query('commit');
  // Until autovacuum runs, the planner would assume that every table is small.
  if (names !== '') await connection.query(`analyze ${names}`);
  return { rows: loader.rows };
}

class Loader {
  rows = 0;
  readonly #connection: CopyConnection;
  readonly #tables: ReadonlyMap<string, TableListEntry>;
  readonly #loaded = new Map<string, number>();

  constructor(connection: CopyConnection, tables: readonly TableListEntry[]) {
    this.#connection = connection;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  async load({ name, content }: Pick<BackupEntry, 'name' | 'content'>): Promise<void> {
    const [, tableName = '', digits] = /^tables\/(\w+)\/(\d{6,})\.copy$/.exec(name) ?? [];
    const table = this.#tables.get(tableName);
    const number = (this.#loaded.get(tableName) ?? 0) + 1;
    if (!table || Number(digits) !== number) {
      throw new DatabaseBackupInvalid(`${name} is not the next entry of a table of the backup`);
    }
    this.#loaded.set(tableName, number);
    this.rows += await this.#connection.copyIn(
      `copy ${tableWithColumns(table)} from stdin`,
      content,
    );
  }
}

function requireSameTables(copied: TableList, present: TableList): void {
  const [expected, actual] = [columnsOf(copied), columnsOf(present)];
  const missing = [...expected].filter((line) => !actual.has(line));
  const surplus = [...actual].filter((line) => !expected.has(line));
  if (missing.length + surplus.length === 0) return;
  const differences = [
    ...missing.map((line) => `${line} is missing`),
    ...surplus.map((line) => `${line} is not in the backup`),
  ];
  throw new DatabaseBackupInvalid(
    `The tables of the database and of the backup differ: ${differences.slice(0, 5).join('; ')}`,
  );
}

const columnsOf = ({ tables, sequences }: TableList): Set<string> =>
  new Set([
    ...tables.flatMap(({ name, columns }) =>
      columns.map((column) => `column ${name}.${column.name} (${column.type})`),
    ),
    ...sequences.map(({ name }) => `sequence ${name}`),
  ]);
