import { type RawBuilder, sql } from 'kysely';
import { accountRow } from './account-row.ts';

/** A column whose value is in each row. */
export interface RowColumn<Row> {
  readonly name: string;
  /** In a row of JSON and as a parameter. */
  readonly type: string;
  /** Objects for `json` and `jsonb`, bytes for `bytea`; undefined is null. */
  readonly value: (row: Row) => unknown;
  /** What an insert stores, computed from the value; left out: the value itself. */
  readonly stored?: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** A column with the same value in all rows. */
interface SharedColumn {
  readonly name: string;
  readonly expression: RawBuilder<unknown>;
}

type InsertColumn<Row> = RowColumn<Row> | SharedColumn;

interface InsertOptions<Row> {
  /** Inserts nothing if the account was erased; left out: the transaction fails elsewhere then. */
  readonly requiresAccount?: boolean;
  readonly filter?: RowFilter<Row> | undefined;
}

/** Leaves out rows. */
interface RowFilter<Row> {
  /** What the condition reads in addition to the columns that are inserted. */
  readonly columns: readonly RowColumn<Row>[];
  /** On the columns of `given`. */
  readonly condition: RawBuilder<unknown>;
}

/**
 * `insert into <table> (account_id, …)` with rows of one account. One row is sent as parameters,
 * which a distributed database plans once; several, or with options, as one JSON value. That
 * inserts nothing if the account was erased.
 */
export function insertRows<Row>(
  table: string,
  accountId: string,
  columns: readonly InsertColumn<Row>[],
  rows: readonly Row[],
  { requiresAccount = false, filter }: InsertOptions<Row> = {},
): RawBuilder<unknown> {
  const into = sql.raw(
    `insert into ${table} (account_id, ${columns.map(({ name }) => name).join(', ')})`,
  );
  const [only] = rows;
  if (rows.length === 1 && only !== undefined && !requiresAccount && filter === undefined) {
    const values = columns.map((column) => toStored(column, (own) => toParameter(own, only)));
    return sql`${into} values (${accountId}::uuid, ${sql.join(values)})`;
  }
  const selected = columns.map((column) => toStored(column, fromRecordset));
  return sql`${into}
    select account.account_id, ${sql.join(selected)}
    from ${accountRow(accountId)},
      ${recordset([...columns.filter(isOfRow), ...(filter?.columns ?? [])], rows)}
    ${filter ? sql`where ${filter.condition}` : sql``}`;
}

/** `json_to_recordset(…) as given (…)`: rows of the columns. Bytes are in base64. */
export const recordset = <Row>(
  columns: readonly RowColumn<Row>[],
  rows: readonly Row[],
): RawBuilder<unknown> => sql`
  json_to_recordset(${JSON.stringify(rows.map((row) => toJson(columns, row)))}::json)
    as given (${sql.raw(columns.map(definitionOf).join(', '))})`;

const isOfRow = <Row>(column: InsertColumn<Row>): column is RowColumn<Row> => 'value' in column;

function toStored<Row>(
  column: InsertColumn<Row>,
  toValue: (column: RowColumn<Row>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!isOfRow(column)) return column.expression;
  const value = toValue(column);
  return column.stored ? column.stored(value) : value;
}

function toParameter<Row>({ type, value }: RowColumn<Row>, row: Row): RawBuilder<unknown> {
  const given = value(row) ?? null;
  const isJson = given !== null && (type === 'json' || type === 'jsonb');
  return sql`${isJson ? JSON.stringify(given) : given}::${sql.raw(type)}`;
}

const fromRecordset = <Row>({ name, type }: RowColumn<Row>): RawBuilder<unknown> =>
  sql.raw(type === 'bytea' ? `decode(given.${name}, 'base64')` : `given.${name}`);

/** Without nulls, which most of the fields are. */
function toJson<Row>(columns: readonly RowColumn<Row>[], row: Row): object {
  const fields: Record<string, unknown> = {};
  for (const { name, value } of columns) {
    const given = value(row) ?? null;
    if (given !== null) fields[name] = given instanceof Uint8Array ? toBase64(given) : given;
  }
  return fields;
}

const toBase64 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('base64');

/** JSON has no bytes. */
const definitionOf = <Row>({ name, type }: RowColumn<Row>): string =>
  `${name} ${type === 'bytea' ? 'text' : type}`;
