import pg from 'pg';

const TIMEOUT_MS = 10_000;

/** Citus waits 30 s for a node that does not respond, also when nobody waits for the answer. */
const NODE_TIMEOUT = `select set_config('citus.node_connection_timeout', '5000', false)`;

/** Runs one statement on a connection of its own, outside of the pool. */
export async function runApart(url: string, config: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'mneme',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  // A lost connection fails the statement, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(NODE_TIMEOUT);
    return await client.query(config);
  } finally {
    await client.end();
  }
}
