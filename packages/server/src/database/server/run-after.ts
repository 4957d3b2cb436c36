import pg from 'pg';

/** The internals of pg's Query that this file uses; valid for the pinned version of pg. */
interface QueryInternals {
  submit(connection: pg.Connection): Error | null;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

export type TimedQueryConfig = pg.QueryConfig & { query_timeout?: number };

/**
 * Sends a statement in one message with others that precede it, and resolves with its result. If
 * one fails, PostgreSQL does not run those after it; outside a transaction all form one.
 * `onPrecedingDone` is called when all that precede have succeeded.
 *
 * Those that precede are names of prepared statements without parameters: pg would take the parsing
 * of another statement for that of its own.
 */
export function runAfter(
  client: pg.PoolClient,
  preceding: readonly string[],
  statement: TimedQueryConfig,
  onPrecedingDone: () => void,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    // The simple protocol would end the transaction of the preceding statements.
    const extended = { ...statement, queryMode: 'extended' };
    const query = new pg.Query(extended, (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
    sendAfter(query as unknown as QueryInternals, preceding, onPrecedingDone);
    // pg reads the timeout from the query object.
    const { query_timeout } = statement;
    void client.query(Object.assign(query, { query_timeout }));
  });
}

function sendAfter(
  query: QueryInternals,
  preceding: readonly string[],
  onPrecedingDone: () => void,
): void {
  const submit = query.submit.bind(query);
  const handleCommandComplete = query.handleCommandComplete.bind(query);
  let remaining = preceding.length;
  query.submit = (connection) => {
    connection.stream.cork();
    try {
      for (const name of preceding) {
        connection.bind({ statement: name }, true);
        connection.execute({}, true);
      }
      return submit(connection);
    } finally {
      connection.stream.uncork();
    }
  };
  query.handleCommandComplete = (message, connection) => {
    if (remaining === 0) return handleCommandComplete(message, connection);
    remaining -= 1;
    if (remaining === 0) onPrecedingDone();
  };
}
