/** What the main thread gives a worker at its start. */
export interface WorkerTask {
  /** The folder of the database, which exists. */
  folder: string;
  /** Shared counter of fsyncs, one 32-bit integer. */
  fsyncs: SharedArrayBuffer;
  /** Shared: the LSNs of `walFields`, 64-bit integers. */
  wal: SharedArrayBuffer;
}

/** Where in the shared memory what is; 0 is for unknown. */
export const walFields = { flushed: 0, checkpoint: 1, count: 2 } as const;

/** A request whose answer is sent in pieces while the database produces it. */
export interface StreamRequest {
  request: Uint8Array;
  /** Shared: how many pieces the worker may send now, one 32-bit integer. It waits at 0. */
  credit: SharedArrayBuffer;
}

/** Main to worker: bytes of PostgreSQL's frontend protocol, or the wish to end. */
export type WorkerRequest = Uint8Array | StreamRequest | 'close';

/**
 * Worker to main: bytes of the backend protocol, one message per request in the same order. Before
 * the message of a streamed request come its pieces; the message itself is the last piece.
 */
export type WorkerMessage =
  | Uint8Array
  | { piece: Uint8Array }
  | 'ready'
  | 'closed'
  | { failed: string };
