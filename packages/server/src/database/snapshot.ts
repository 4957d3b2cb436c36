import type { Engine, Tx } from './engine.ts';

/**
 * Runs reads in one consistent snapshot. Writes fail. On the embedded engine it occupies the only
 * connection.
 */
export const runInSnapshot = <T>(engine: Engine, fn: (tx: Tx) => Promise<T>): Promise<T> =>
  engine.transaction(fn, { isSnapshot: true });
