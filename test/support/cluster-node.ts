import { administer } from '../../packages/server/src/database/testing-cluster.ts';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';

/** One worker of a cluster, which the coordinator reaches through a proxy. */
export interface ProxiedNode extends AsyncDisposable {
  readonly proxy: DatabaseProxy;
  /** `host:port` of the proxy. */
  readonly name: string;
  /** The database of the node, without the proxy. */
  readonly url: string;
  /** Whether the rows of the account are on this node. */
  has(accountId: string): Promise<boolean>;
}

/** Puts a proxy before the last worker of the cluster database of `url`. */
export async function proxyNode(url: string): Promise<ProxiedNode> {
  const [worker] = (await administer(
    url,
    `select nodeid as id, groupid as "group", nodename as host, nodeport as port
     from pg_dist_node where noderole = 'primary' order by groupid desc limit 1`,
  )) as { id: number; group: number; host: string; port: number }[];
  if (!worker) throw new Error('The cluster has no worker');
  const target = new URL(url);
  target.host = `${worker.host}:${worker.port}`;
  const proxy = await startDatabaseProxy(target.href);
  const { host, hostname, port } = new URL(proxy.url);
  await administer(url, `select citus_update_node(${worker.id}, '${hostname}', ${port})`);
  return {
    proxy,
    name: host,
    url: target.href,
    async has(accountId) {
      const rows = await administer(
        url,
        `select from pg_dist_placement where groupid = ${worker.group}
         and shardid = get_shard_id_for_distribution_column('memories', '${accountId}'::uuid)`,
      );
      return rows.length > 0;
    },
    async [Symbol.asyncDispose]() {
      // No commit stays prepared, which would keep the database from being dropped.
      proxy.setMode('open', { keep: true });
      await administer(
        url,
        `select citus_update_node(${worker.id}, '${worker.host}', ${worker.port})`,
      );
      await proxy[Symbol.asyncDispose]();
    },
  };
}
