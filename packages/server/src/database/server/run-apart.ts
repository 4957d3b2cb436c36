import pg from 'pg';

const TIMEOUT_MS = 10_000;

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
    return await client.query(config);
  } finally {
    await client.end();
  }
}
