import { sql } from 'kysely';
import type { Tx } from './engine.ts';

/**
 * Acquires a transaction-level advisory lock; other callers with this name wait until the
 * transaction ends. Use it when no row exists yet that could be locked: for a count, or the first
 * row of its kind.
 */
export async function advisoryLock(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
