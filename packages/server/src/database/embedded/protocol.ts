/** What the worker starts with. */
export interface WorkerData {
  /** The program that an earlier worker of this process compiled; null for the first one. */
  program: object | null;
}

/** Main to worker, the first message: the database to open. */
export interface OpenDatabase {
  /** The existing folder of the database. */
  folder: string;
  /** Shared counter of fsyncs, one 32-bit integer. */
  fsyncs: SharedArrayBuffer;
  /** Shared: the LSNs of `walFieldIndexes`, 64-bit integers. */
  wal: SharedArrayBuffer;
}

/** Indexes in the shared memory. The value 0 means unknown. */
export const walFieldIndexes = { flushed: 0, checkpoint: 1, count: 2 } as const;

/** A request with a streamed response. */
export interface StreamRequest {
  request: Uint8Array;
  /** Shared: the number of chunks that the worker may send, one 32-bit integer. It waits at 0. */
  credit: SharedArrayBuffer;
}

/** Main to worker, afterwards: bytes of PostgreSQL's frontend protocol, or the request to close. */
export type WorkerRequest = Uint8Array | StreamRequest | 'close';

/**
 * Worker to main: bytes of the backend protocol, one message per request in the same order. The
 * chunks of a streamed response precede its message, which is the last chunk. The first message has
 * the compiled program: the database is ready.
 */
export type WorkerMessage =
  | Uint8Array
  | { chunk: Uint8Array }
  | { program: object | null }
  | 'closed'
  | { failed: string };
