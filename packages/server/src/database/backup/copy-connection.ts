/** One row as text or numbers, by column. */
type Row = Record<string, unknown>;

/**
 * A connection for COPY statements. On a server it is outside the pool; in the embedded engine it
 * is the only connection, so all other statements wait until it is disposed.
 */
export interface CopyConnection extends AsyncDisposable {
  query<R extends object = Row>(sql: string): Promise<R[]>;

  /**
   * Runs a `copy … to stdout` and streams its output; chunk boundaries are arbitrary. If the
   * consumer stops early, the connection becomes unusable.
   */
  copyOut(sql: string): AsyncIterable<Uint8Array>;

  /** Runs a `copy … from stdin` with `content` as its input. Returns the number of rows. */
  copyIn(sql: string, content: AsyncIterable<Uint8Array>): Promise<number>;
}
