import { sql } from 'kysely';
import type { Tx } from './engine.ts';

/**
 * Acquires a transaction-level advisory lock; other callers with this name wait until the
 * transaction ends. Use it when no row could be locked: for a count, the first row of its kind, or
 * a row of a reference table, whose locks a distributed database takes on the whole table.
 */
export async function advisoryLock(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Only callers of `advisoryLock` with this name wait until the transaction ends. */
export async function sharedAdvisoryLock(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(tx);
}
