import type pg from 'pg';
import {
  describeStatement,
  distributedTables,
  isWrite,
  mergeRows,
  type ResultColumn,
  type Shard,
  type Statement,
  toNodeCommand,
} from './node-commands.ts';
import type { UnavailableNodes } from './unavailable-nodes.ts';

const SHARDS = `
  select n.nodename as host, n.nodeport as port, c.relname as table,
    shard_name(s.logicalrelid, s.shardid) as name, s.shardminvalue as range
  from pg_dist_shard as s join pg_class as c on c.oid = s.logicalrelid
    join pg_dist_placement using (shardid) join pg_dist_node as n using (groupid)
  where n.noderole = 'primary' and c.relname = any($1::text[])
    and c.relnamespace = current_schema()::regnamespace
  order by n.nodeid, s.shardid`;
const TYPE_NAMES = `
  select format_type(type, null) as name
  from unnest($1::oid[]) with ordinality as types (type, place) order by place`;
/** Citus reports a node that fails as a row, where a distributed query would fail as a whole. */
const RUN_ON_NODES = `
  select success as "isDone", result
  from master_run_on_worker($1::text[], $2::int[], $3::text[], true)`;

interface Node {
  readonly host: string;
  readonly port: number;
}
type PlacedShard = Node & Shard;

/** The fields of a result that Kysely reads. */
type StatementResult = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/** How a statement runs on the coordinator: `write` also checks the version of the schema. */
export interface Coordinator {
  run(statement: Statement): Promise<pg.QueryResult>;
  write(statement: Statement): Promise<pg.QueryResult>;
}

/**
 * Runs statements over all accounts on the nodes that respond. Citus has no statement for this: it
 * plans all shards of a table or those of named accounts. So each node gets the statement as one
 * query of its own shards, through the coordinator, and what they return is merged.
 */
export class PartialStatements {
  readonly #nodes: UnavailableNodes;
  /** The columns of results, by the text of the statement. */
  readonly #columns = new Map<string, readonly ResultColumn[]>();

  constructor(nodes: UnavailableNodes) {
    this.#nodes = nodes;
  }

  /** Throws the error of a node that responds. */
  async run(statement: Statement, coordinator: Coordinator): Promise<StatementResult> {
    this.#nodes.tryAgain();
    const isChange = isWrite(statement.text);
    const columns = isChange ? [] : await this.#readColumns(statement, coordinator);
    const answers = await this.#runOnNodes(statement, coordinator);
    if (isChange) {
      const rowCount = answers.reduce((sum, answer) => sum + Number(answer), 0);
      const command = statement.text.trimStart().slice(0, 6).toUpperCase();
      return { command, rowCount, rows: [] };
    }
    const { rowCount, rows } = await coordinator.run(mergeRows(statement, columns, answers));
    return { command: 'SELECT', rowCount, rows };
  }

  async #runOnNodes(statement: Statement, { run, write }: Coordinator): Promise<string[]> {
    const tables = distributedTables(statement.text);
    const shards = (await run({ text: SHARDS, parameters: [tables] })).rows as PlacedShard[];
    const isTenant = ({ range }: Shard): boolean => range !== null;
    const parts = [...Map.groupBy(shards, ({ host, port }) => `${host}:${port}`)].filter(
      // The coordinator has reference tables only, unless it is also a worker.
      ([node, own]) => own.some(isTenant) && !this.#nodes.names.includes(node),
    );
    const nodes = parts.flatMap(([, own]) => own.slice(0, 1));
    const commands = parts.map(([, own]) => toNodeCommand(statement, own));
    const parameters = [nodes.map(({ host }) => host), nodes.map(({ port }) => port), commands];
    const runOnNodes = isWrite(statement.text) ? write : run;
    const { rows } = await runOnNodes({ text: RUN_ON_NODES, parameters });
    const answers: string[] = [];
    for (const [i, { isDone, result }] of rows.entries()) {
      if (isDone) answers.push(result);
      else await this.#nodes.requireUnavailable(parts[i]?.[0] ?? '', result);
    }
    return answers;
  }

  async #readColumns(statement: Statement, { run }: Coordinator): Promise<readonly ResultColumn[]> {
    const known = this.#columns.get(statement.text);
    if (known) return known;
    const { fields } = await run(describeStatement(statement));
    const types = fields.map(({ dataTypeID }) => dataTypeID);
    const { rows } = await run({ text: TYPE_NAMES, parameters: [types] });
    const columns = fields.map(({ name }, i) => ({ name, type: String(rows[i]?.name) }));
    this.#columns.set(statement.text, columns);
    return columns;
  }
}
