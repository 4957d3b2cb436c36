import pg from 'pg';

/** Test support for databases of a Citus cluster, of which each node has one of the same name. */

interface ClusterNode {
  readonly host: string;
  readonly port: number;
  readonly isCoordinator: boolean;
  /** The database of the cluster's own URL. */
  readonly url: string;
}

/** Runs the statements on one connection. Returns the rows of the last one. */
export async function administer(url: string, ...statements: string[]): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: object[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const own = new URL(serverUrl);
  own.pathname = `/${name}`;
  return own.href;
}

const clusters = new Map<string, Promise<readonly ClusterNode[]>>();

/** The nodes of the cluster whose coordinator has the database of `url`; one of a plain server. */
function readNodes(url: string): Promise<readonly ClusterNode[]> {
  const known = clusters.get(url) ?? findNodes(url);
  clusters.set(url, known);
  return known;
}

async function findNodes(url: string): Promise<readonly ClusterNode[]> {
  const rows = await administer(
    url,
    `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator"
     from pg_dist_node where noderole = 'primary' order by groupid`,
  );
  return (rows as Omit<ClusterNode, 'url'>[]).map((node) => {
    const own = new URL(url);
    own.hostname = node.host;
    own.port = String(node.port);
    return { ...node, url: own.href };
  });
}

/** Runs statements on each node, outside the database that they are about. */
export async function onEachNode(clusterUrl: string, ...statements: string[]): Promise<void> {
  const nodes = await readNodes(clusterUrl);
  await Promise.all(nodes.map(({ url }) => administer(url, ...statements)));
}

/** Creates an empty database on each node, and joins them. */
export async function createClusterDatabase(clusterUrl: string, name: string): Promise<void> {
  await onEachNode(clusterUrl, `create database ${name}`);
  const nodes = await readNodes(clusterUrl);
  await Promise.all(
    nodes.map(({ url }) => administer(databaseUrl(url, name), 'create extension citus')),
  );
  const join = nodes.map(({ host, port, isCoordinator }) =>
    isCoordinator
      ? `select citus_set_coordinator_host('${host}', ${port})`
      : `select citus_add_node('${host}', ${port})`,
  );
  await administer(databaseUrl(clusterUrl, name), ...join);
}

/**
 * Ends the connections of a database on each node, and prevents others: only then it can be copied.
 * Each database with Citus has a background worker, which would connect again.
 */
export const closeClusterDatabase = (clusterUrl: string, name: string): Promise<void> =>
  onEachNode(
    clusterUrl,
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
  );
