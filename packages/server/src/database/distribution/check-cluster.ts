import { sql } from 'kysely';
import type { Db } from '../engine.ts';

/** The oldest version that was tried. */
const CITUS_MAJOR_MIN = 14;
/** A transaction of several nodes takes one on each of them. */
const PREPARED_TRANSACTIONS_MIN = 100;

interface Node {
  readonly address: string;
  readonly isCoordinator: boolean;
  readonly isActive: boolean;
}

/**
 * What prevents the database from being distributed, each as a sentence that says what to do; empty
 * if nothing does.
 */
export async function findClusterProblems(db: Db): Promise<string[]> {
  const extension = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'`.execute(db);
  const version = extension.rows[0]?.version;
  if (version === undefined) {
    return [
      'The extension Citus is not in this database: install Citus on the server, and run ' +
        '`create extension citus` in the database of each node.',
    ];
  }
  if (Number.parseInt(version, 10) < CITUS_MAJOR_MIN) {
    return [`Citus ${version} is too old: upgrade it to ${CITUS_MAJOR_MIN} or newer.`];
  }
  const nodes = await readNodes(db);
  const workers = nodes.filter(({ isCoordinator }) => !isCoordinator);
  if (workers.length === 0) {
    return ["The cluster has no workers: add each with `select citus_add_node('<host>', <port>)`."];
  }
  return [
    ...(workers.length < nodes.length
      ? []
      : [
          'The workers do not know the coordinator: run ' +
            "`select citus_set_coordinator_host('<host>', <port>)`.",
        ]),
    ...workers
      .filter(({ isActive }) => !isActive)
      .map(
        ({ address }) =>
          `The worker ${address} is not active: start it, and run \`select citus_activate_node\`.`,
      ),
    ...(await findSettingProblems(db)),
  ];
}

async function readNodes(db: Db): Promise<Node[]> {
  const { rows } = await sql<Node>`
    select nodename || ':' || nodeport as address, groupid = 0 as "isCoordinator",
      isactive as "isActive"
    from pg_dist_node where noderole = 'primary' order by groupid`.execute(db);
  return rows;
}

const NODE_SETTINGS = `
  select current_setting('wal_level') || ' ' || current_setting('max_prepared_transactions')`;

/** Also finds nodes that do not respond. */
async function findSettingProblems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ address: string; isDone: boolean; result: string }>`
    select n.nodename || ':' || n.nodeport as address, r.success as "isDone", r.result
    from run_command_on_all_nodes(${NODE_SETTINGS}) as r
      join pg_dist_node as n on n.nodeid = r.nodeid
    order by n.groupid`.execute(db);
  return rows.flatMap(({ address, isDone, result }) => {
    if (!isDone) return [`The node ${address} does not respond (${result}): start it.`];
    const [walLevel, prepared] = result.split(' ');
    return [
      ...(walLevel === 'logical'
        ? []
        : [
            `wal_level of ${address} is ${walLevel}, so that shards cannot be moved to other ` +
              'nodes during use: set it to logical and restart the node.',
          ]),
      ...(Number(prepared) >= PREPARED_TRANSACTIONS_MIN
        ? []
        : [
            `max_prepared_transactions of ${address} is ${prepared}: set it to at least ` +
              `${PREPARED_TRANSACTIONS_MIN}, and to no less than the connections that all ` +
              'processes of Mneme may open together, and restart the node.',
          ]),
    ];
  });
}
