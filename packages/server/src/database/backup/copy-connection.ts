/** One row as text or numbers, by column. */
type Row = Record<string, unknown>;

/**
 * A connection that runs COPY statements: on a server a connection outside of the pool, in the
 * embedded engine the only one, which everything else waits for until this one is disposed.
 */
export interface CopyConnection extends AsyncDisposable {
  query<R extends object = Row>(sql: string): Promise<R[]>;

  /**
   * Runs a `copy … to stdout` and streams its output, in chunks that end anywhere. A consumer that
   * stops early leaves the connection unusable.
   */
  copyOut(sql: string): AsyncIterable<Uint8Array>;

  /** Runs a `copy … from stdin` with the content as its input. Returns the number of rows. */
  copyIn(sql: string, content: AsyncIterable<Uint8Array>): Promise<number>;
}
