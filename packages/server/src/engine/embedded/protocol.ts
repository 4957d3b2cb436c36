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

/** Main to worker: bytes of PostgreSQL's frontend protocol, or the wish to end. */
export type ToWorker = Uint8Array | 'close';

/** Worker to main: bytes of the backend protocol, one message per request in the same order. */
export type FromWorker = Uint8Array | 'ready' | 'closed' | { failed: string };
