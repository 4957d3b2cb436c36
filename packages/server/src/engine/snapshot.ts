import { sql } from 'kysely';
import type { Engine, Tx } from './engine.ts';

/**
 * Runs reads that must fit each other: all of them see the database as it was at the first.
 * Nothing can be written in it. On the embedded engine it holds the one connection.
 */
export function readSnapshot<T>(engine: Engine, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return engine.transaction(async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx);
    return fn(tx);
  });
}
