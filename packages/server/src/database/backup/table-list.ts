import { z } from 'zod';
import { DatabaseBackupInvalid } from '../errors.ts';
import type { CopyConnection } from './copy-connection.ts';

const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

const tableListSchema = z.object({
  tables: z.array(
    z.object({
      name: identifier,
      /** Stored columns; generated columns are recomputed. */
      columns: z.array(z.object({ name: identifier, type: z.string() })).min(1),
    }),
  ),
  sequences: z.array(
    z.object({
      name: identifier,
      last_value: z.string().regex(/^-?\d+$/),
      is_called: z.boolean(),
    }),
  ),
});

/**
 * Content of `tables.json`: the tables, each after the tables that its foreign keys reference, with
 * their columns in the order of the row values, and the sequences.
 */
export type TableList = z.output<typeof tableListSchema>;
export type TableListEntry = TableList['tables'][number];

/** Parses `tables.json`. Throws DatabaseBackupInvalid for any other text. */
export function parseTableList(text: string): TableList {
  try {
    return tableListSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new DatabaseBackupInvalid('tables.json is not a valid list of tables', { cause: error });
  }
}

/**
 * Permanent tables of the schema, except those of extensions and the table of migrations, which
 * `migrate` writes. A crash also empties unlogged tables.
 */
const TABLES = `
  select c.relname::text as name, a.attname::text as column,
    format_type(a.atttypid, a.atttypmod) as type
  from pg_class as c join pg_attribute as a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition and c.relpersistence = 'p' and c.relname <> 'schema_migrations'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    and not exists (select from pg_depend as d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname collate "C", a.attnum`;

const REFERENCES = `
  select source.relname::text as source, target.relname::text as target
  from pg_constraint as k join pg_class as source on source.oid = k.conrelid
    join pg_class as target on target.oid = k.confrelid
  where k.contype = 'f' and k.connamespace = current_schema()::regnamespace
    and k.conparentid = 0`;

const SEQUENCES = `
  select relname::text as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'S' and relpersistence = 'p'
  order by relname collate "C"`;

/** Reads the tables and sequences of a database. Throws if foreign keys form a cycle. */
export async function readTableList(connection: CopyConnection): Promise<TableList> {
  const rows = await connection.query<{ name: string; column: string; type: string }>(TABLES);
  const tables = new Map<string, TableListEntry>();
  for (const { name, column, type } of rows) {
    const table = tables.get(name) ?? { name, columns: [] };
    table.columns.push({ name: column, type });
    tables.set(name, table);
  }
  const references = await connection.query<Reference>(REFERENCES);
  const sequences: TableList['sequences'] = [];
  for (const { name } of await connection.query<{ name: string }>(SEQUENCES)) {
    const [value] = await connection.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${quoteIdentifier(name)}`,
    );
    if (value) sequences.push({ name, ...value });
  }
  return tableListSchema.parse({
    tables: sortTablesByReferences([...tables.values()], references),
    sequences,
  });
}

interface Reference {
  readonly source: string;
  readonly target: string;
}

/** Sorts each table after the tables that it references; otherwise keeps the order. */
export function sortTablesByReferences<T extends { readonly name: string }>(
  tables: readonly T[],
  references: readonly Reference[],
): readonly T[] {
  const ordered: T[] = [];
  let remaining = tables;
  while (remaining.length > 0) {
    const waiting = new Set(remaining.map(({ name }) => name));
    const isReady = ({ name }: T): boolean =>
      !references.some(({ source, target }) => source === name && waiting.has(target));
    const ready = remaining.filter(isReady);
    if (ready.length === 0) {
      const names = [...waiting].join(', ');
      throw new Error(`The foreign keys of these tables form a cycle: ${names}`);
    }
    ordered.push(...ready);
    remaining = remaining.filter((table) => !isReady(table));
  }
  return ordered;
}

/** Table and column names are validated and contain no quotes. */
export const quoteIdentifier = (name: string): string => `"${name}"`;

const columnList = ({ columns }: TableListEntry): string =>
  columns.map(({ name }) => quoteIdentifier(name)).join(', ');

/** The table with its columns, in COPY syntax. */
export const tableWithColumns = (table: TableListEntry): string =>
  `${quoteIdentifier(table.name)} (${columnList(table)})`;

/** The same rows as a query, in COPY syntax. */
export const queryOfTable = (table: TableListEntry): string =>
  `(select ${columnList(table)} from ${quoteIdentifier(table.name)})`;
