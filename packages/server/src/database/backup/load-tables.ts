import type { Engine } from '../engine.ts';
import { DatabaseBackupInvalid } from '../errors.ts';
import type { CopyConnection } from './copy-connection.ts';
import type { BackupEntry } from './database-backup.ts';
import {
  quoteIdentifier,
  readTableList,
  type Table,
  type TableList,
  tableWithColumns,
} from './table-list.ts';

/**
 * Loads a `tables` copy. In: a database that nobody else uses, with the migrations of the copy and
 * no others applied (`migrate` with `upTo`); its list of tables; and the entries behind the list.
 * Every row that the tables have is replaced. On a server all of it is one transaction; in the
 * embedded engine each entry is one, since only between transactions its log is kept short.
 *
 * Out: the number of rows. Throws DatabaseCopyInvalid where the database has other tables or
 * columns than the copy, or an entry is not of the list.
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
  // The planner would take every table for a small one until autovacuum has seen it.
  if (names !== '') await connection.query(`analyze ${names}`);
  return { rows: loader.rows };
}

class Loader {
  rows = 0;
  readonly #connection: CopyConnection;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #loaded = new Map<string, number>();

  constructor(connection: CopyConnection, tables: readonly Table[]) {
    this.#connection = connection;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  async load({ name, content }: Pick<BackupEntry, 'name' | 'content'>): Promise<void> {
    const [, tableName = '', digits] = /^tables\/(\w+)\/(\d{6,})\.copy$/.exec(name) ?? [];
    const table = this.#tables.get(tableName);
    const number = (this.#loaded.get(tableName) ?? 0) + 1;
    if (!table || Number(digits) !== number) {
      throw new DatabaseBackupInvalid(`${name} is not the next entry of a table of the copy`);
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
  const said = [
    ...missing.map((line) => `${line} is missing`),
    ...surplus.map((line) => `${line} is not in the copy`),
  ];
  throw new DatabaseBackupInvalid(
    `The tables of the database are not those of the copy: ${said.slice(0, 5).join('; ')}`,
  );
}

const columnsOf = ({ tables, sequences }: TableList): Set<string> =>
  new Set([
    ...tables.flatMap(({ name, columns }) =>
      columns.map((column) => `column ${name}.${column.name} (${column.type})`),
    ),
    ...sequences.map(({ name }) => `sequence ${name}`),
  ]);
