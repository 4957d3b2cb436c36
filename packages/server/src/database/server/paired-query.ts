import pg from 'pg';

/** The parts of pg's Query that we reach into; pinned with the version of pg. */
interface QueryInternals {
  submit(connection: pg.Connection): Error | null;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

export type TimedQueryConfig = pg.QueryConfig & { query_timeout?: number };

/** A statement without parameters: parsed now by its text, or prepared before under its name. */
export type FirstStatement = { readonly text: string } | { readonly name: string };

/**
 * Sends two statements in one message, and resolves with the result of the second. Where the first
 * one fails, PostgreSQL does not run the second; outside of a transaction both are one.
 * `onFirst` is called when the first one succeeded.
 */
export function runPairedQuery(
  client: pg.PoolClient,
  [first, second]: readonly [FirstStatement, TimedQueryConfig],
  onFirst: () => void = () => undefined,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    // The simple protocol would end the transaction of the first.
    const extended = { ...second, queryMode: 'extended' };
    const query = new pg.Query(extended, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
    sendBefore(query as unknown as QueryInternals, first, onFirst);
    // pg reads the limit of time from what it is given to send.
    const { query_timeout } = second;
    void client.query(Object.assign(query, { query_timeout }));
  });
}

function sendBefore(query: QueryInternals, first: FirstStatement, onFirst: () => void): void {
  const submit = query.submit.bind(query);
  const handleCommandComplete = query.handleCommandComplete.bind(query);
  let isFirstDone = false;
  query.submit = (connection) => {
    connection.stream.cork();
    try {
      if ('text' in first) connection.parse({ name: '', text: first.text, types: [] }, true);
      connection.bind('name' in first ? { statement: first.name } : {}, true);
      connection.execute({}, true);
      return submit(connection);
    } finally {
      connection.stream.uncork();
    }
  };
  query.handleCommandComplete = (message, connection) => {
    if (isFirstDone) return handleCommandComplete(message, connection);
    isFirstDone = true;
    onFirst();
  };
}
