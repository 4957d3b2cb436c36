import pg from 'pg';

/** The internals of pg's Query that this file uses; valid for the pinned version of pg. */
interface QueryInternals {
  submit(connection: pg.Connection): Error | null;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

export type TimedQueryConfig = pg.QueryConfig & { query_timeout?: number };

/** A statement without parameters: parsed now from its text, or prepared earlier under its name. */
export type FirstStatement = { readonly text: string } | { readonly name: string };

/**
 * Sends two statements in one message, and resolves with the result of the second. If the first
 * fails, PostgreSQL does not run the second; outside a transaction both form one. `onFirst` is
 * called when the first succeeds.
 */
export function runPairedQuery(
  client: pg.PoolClient,
  [first, second]: readonly [FirstStatement, TimedQueryConfig],
  onFirst: () => void = () => undefined,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    // The simple protocol would end the transaction of the first statement.
    const extended = { ...second, queryMode: 'extended' };
    const query = new pg.Query(extended, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
    sendBefore(query as unknown as QueryInternals, first, onFirst);
    // pg reads the timeout from the query object.
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
