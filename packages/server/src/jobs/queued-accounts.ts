import { sql } from 'kysely';
import type { Engine, Tx } from '../database/index.ts';

/**
 * On a distributed database a job is on the coordinator and the rows of its account are on another
 * node, whose commit follows: a worker could see the job before the rows. So the transaction that
 * queues a job locks the account's row in `account_positions`, on that node. The lock lasts until
 * the rows are committed there, and a worker waits for it. It stops no other writer.
 *
 * Call it in the transaction, for accounts whose row it has not locked for its events.
 */
export async function lockAccountOfQueuedJob(tx: Tx, accountId: string): Promise<void> {
  await sql`
    select from account_positions where account_id = ${accountId}::uuid for key share`.execute(tx);
}

/** Meanwhile no other job of the queue runs in this process. */
const WAIT = '2s';

/**
 * Resolves when all transactions of an account that have queued jobs are committed on the node of
 * its rows. Throws after two seconds: a commit is late, and the queue has other jobs.
 */
export async function waitForQueuedJobs(
  engine: Pick<Engine, 'transaction'>,
  accountId: string,
): Promise<void> {
  await engine.transaction(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(WAIT)}`.execute(tx);
    await sql`
      select from account_positions where account_id = ${accountId}::uuid for update`.execute(tx);
  });
}
