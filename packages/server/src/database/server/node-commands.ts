import pg from 'pg';
import { encodeParameter } from '../encode-parameter.ts';
import { placementOf } from '../placement.ts';

/** A statement and the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** The part of a table that one node has. */
export interface Shard {
  readonly table: string;
  /** As the node names it, quoted. */
  readonly name: string;
  /** Shards of several tables with the same range have the same accounts; null: all rows. */
  readonly range: string | null;
}

/** A column of a result, with its type in SQL. */
export interface ResultColumn {
  readonly name: string;
  readonly type: string;
}

const WRITES = /^\s*(delete from|update)\s+"?([a-z_]+)"?(?!\s+as\b)/i;
const RETURNS = /\breturning\b/i;
/** The end of the outermost query: nothing follows but the limit. */
const ORDER = /\border by ([^()]*?)(?:\s+limit\s[^()]*)?$/i;
const LIMIT = /\blimit (\$\d+|\d+)(?:::\w+)?$/i;
const ORDER_TERM = /^(?:"?\w+"?\.)?"?(\w+)"?((?: asc| desc)?(?: nulls (?:first|last))?)$/i;
const LITERAL_OR_PARAMETER = /'(?:[^']|'')*'|"[^"]*"|\$(\d+)/g;

const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Whether the statement changes rows. */
export const isWrite = (text: string): boolean => WRITES.test(text);

/** The distributed tables that the statement may use; a column may have the name of another one. */
export const distributedTables = (text: string): string[] =>
  [...new Set(text.match(/\b[a-z_]+\b/g))].filter((word) => {
    const placement = placementOf(word);
    return placement === 'tenant' || placement === 'reference';
  });

/**
 * The statement without parameters, for a protocol that has none. Literals have no type, as
 * parameters have none.
 */
const inlineParameters = ({ text, parameters }: Statement): string =>
  text.replaceAll(LITERAL_OR_PARAMETER, (found, number?: string) =>
    number === undefined ? found : toLiteral(parameters[Number(number) - 1]),
  );

function toLiteral(parameter: unknown): string {
  const value = encodeParameter(parameter);
  if (value === null) return 'null';
  if (typeof value === 'string') return pg.escapeLiteral(value);
  return `'\\x${Buffer.from(value).toString('hex')}'`;
}

/** Each table as the union of its shards, under its own name. */
function withShards(shards: readonly Shard[]): string {
  const tables = [...Map.groupBy(shards, ({ table }) => table)].map(([table, parts]) => {
    const rows = parts.map(({ name }) => `select * from ${name}`).join(' union all ');
    return `${quoted(table)} as not materialized (${rows})`;
  });
  return `with ${tables.join(', ')}`;
}

/** A query of no rows with the columns of the statement, which the coordinator runs alone. */
export const describeStatement = ({ text, parameters }: Statement): Statement => {
  const tables = distributedTables(text).map(
    (table) => `${quoted(table)} as (select (null::${quoted(table)}).* where false)`,
  );
  return {
    text: `with ${tables.join(', ')} select * from (${text}) as found limit 0`,
    parameters,
  };
};

/**
 * The statement about the shards of one node, as a command without parameters with one value: the
 * rows as JSON, or the number of changed rows.
 */
export function toNodeCommand(statement: Statement, shards: readonly Shard[]): string {
  const text = inlineParameters(statement);
  if (!isWrite(text)) {
    return `${withShards(shards)} select coalesce(json_agg(found), '[]') from (${text}) as found`;
  }
  if (RETURNS.test(statement.text)) {
    throw new Error(`A partial statement returns rows: ${statement.text}`);
  }
  const whole = shards.filter(({ range }) => range === null);
  const ranges = Map.groupBy(
    shards.filter(({ range }) => range !== null),
    ({ range }) => range,
  );
  const parts = [...ranges.values()].map((own, i) => {
    const write = text.replace(WRITES, (_, verb: string, table: string) => {
      const target = own.find((shard) => shard.table === table)?.name;
      return `${verb} ${target} as ${quoted(table)}`;
    });
    return `part_${i} as (${withShards([...own, ...whole])} ${write} returning 1)`;
  });
  const counts = parts.map((_, i) => `(select count(*) from part_${i})`);
  return `with ${parts.join(', ')} select ${counts.join(' + ')}`;
}

/**
 * Merges the rows of several nodes, each an array in JSON, in the order of the statement if it
 * orders by columns that it returns; otherwise their first ones come first. Has its limit.
 */
export function mergeRows(
  { text, parameters }: Statement,
  columns: readonly ResultColumn[],
  answers: readonly string[],
): Statement {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const typed = columns.map(({ name, type }) => `${quoted(name)} ${type}`).join(', ');
  const [, limit] = LIMIT.exec(text.trimEnd()) ?? [];
  const ending =
    limit === undefined ? '' : ` limit ${inlineParameters({ text: limit, parameters })}`;
  return {
    text: `select ${names} from unnest($1::text[]) with ordinality as nodes (answer, node)
      cross join lateral rows from (json_to_recordset(answer::json) as (${typed}))
        with ordinality as found (${names}, place)
      order by ${readOrder(text, columns) ?? 'place, node'}${ending}`,
    parameters: [answers],
  };
}

/** The outermost order, if all its terms are columns of the result. */
function readOrder(text: string, columns: readonly ResultColumn[]): string | null {
  const [, order] = ORDER.exec(text.trimEnd()) ?? [];
  const terms = order?.split(',').map((term) => {
    const [, name, direction = ''] = ORDER_TERM.exec(term.trim()) ?? [];
    return columns.some((column) => column.name === name)
      ? `${quoted(name ?? '')}${direction}`
      : null;
  });
  return terms?.every((term) => term !== null) ? terms.join(', ') : null;
}
