import type { Engine, Tx } from './engine.ts';

/**
 * Runs reads that must fit each other: all of them see the database as it was at the first.
 * Nothing can be written in it. On the embedded engine it holds the one connection.
 */
export const runInSnapshot = <T>(engine: Engine, fn: (tx: Tx) => Promise<T>): Promise<T> =>
  engine.transaction(fn, { isSnapshot: true });
