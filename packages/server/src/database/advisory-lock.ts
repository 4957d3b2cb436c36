import { sql } from 'kysely';
import type { Tx } from './engine.ts';

/**
 * Until the transaction ends, whoever else asks for the turn of this name waits. For what depends
 * on rows that may not be there yet, so that no row of them can be locked: a count, a first one.
 */
export async function advisoryLock(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
