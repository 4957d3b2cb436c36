import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

/** USER_HZ of Linux. */
const clockTicksPerSecond = 100;

/** The main processes of the PostgreSQL servers behind a database. */
type Postmasters = readonly number[];

interface ProcessStat {
  readonly name: string;
  readonly parent: number;
  /** User and system time of the process, and of its children that have ended. */
  readonly seconds: number;
}

/**
 * Of the server of a database, and of all nodes of its Citus cluster. Null where they are not
 * processes of this machine.
 */
export async function findPostmasters(url: string): Promise<Postmasters | null> {
  const found: number[] = [];
  for (const node of await readNodeUrls(url)) {
    const postmaster = await withClient(node, async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      const backend = await readStat(rows[0].pid);
      return backend?.name === 'postgres' ? backend.parent : null;
    });
    if (postmaster === null) return null;
    found.push(postmaster);
  }
  return found;
}

/** The URL itself, or that of each node of the cluster. */
const readNodeUrls = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const citus = await client.query(`select from pg_extension where extname = 'citus'`);
    if (citus.rows.length === 0) return [url];
    const { rows } = await client.query(
      `select nodename, nodeport from pg_dist_node where noderole = 'primary'`,
    );
    return rows.map(({ nodename, nodeport }) => {
      const node = new URL(url);
      node.hostname = nodename;
      node.port = String(nodeport);
      return node.href;
    });
  });

async function withClient<T>(url: string, fn: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await fn(client);
  } finally {
    await client.end();
  }
}

/** User and system time of the servers with all their processes, also of those that have ended. */
export async function readPostgresCpuSeconds(postmasters: Postmasters): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const stats = await Promise.all(pids.map(async (pid) => ({ pid, stat: await readStat(pid) })));
  let seconds = 0;
  for (const { pid, stat } of stats) {
    const isOurs = stat && (postmasters.includes(pid) || postmasters.includes(stat.parent));
    if (isOurs) seconds += stat.seconds;
  }
  return seconds;
}

/** Null: the process has ended, or the system has no /proc. */
async function readStat(pid: number): Promise<ProcessStat | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The name in parentheses may contain spaces; utime, stime, cutime and cstime are 14 to 17.
  const [from, to] = [stat.indexOf('('), stat.lastIndexOf(')')];
  const fields = stat.slice(to + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return {
    name: stat.slice(from + 1, to),
    parent: Number(fields[1]),
    seconds: ticks / clockTicksPerSecond,
  };
}
