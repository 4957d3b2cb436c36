import { type RawBuilder, sql } from 'kysely';
import { acrossAccounts, type Db, type Tx } from '../database/index.ts';

/** Tables whose rows follow the events of their account, up to the position in `cursor`. */
export type CursorTable = 'email_reactions' | 'extraction_cursors' | 'webhooks';

/** SQL condition on `account_positions`: a row of the table has unprocessed events. */
export const hasUnprocessedEventsCondition = (table: CursorTable): RawBuilder<boolean> =>
  sql<boolean>`account_positions.position > coalesce(${sql.ref(`${table}.cursor`)}, 0)`;

/** Events after the cursor, of the slowest row of each account, over all accounts. */
export async function countUnprocessedEvents(
  db: Db,
  table: CursorTable,
  where: RawBuilder<boolean> = sql`true`,
): Promise<number> {
  const { rows } = await sql<{ events: string }>`
    select coalesce(sum(greatest(position - cursor, 0)), 0) as events from (
      select account_id, min(cursor) as cursor from ${sql.table(table)} where ${where}
      group by account_id
    ) as slowest join account_positions using (account_id)`.execute(
    acrossAccounts(db, 'metrics count unprocessed events'),
  );
  return Number(rows[0]?.events);
}

/**
 * Moves the cursors of new rows to the current position, so that they get later events only. The
 * lock until the commit prevents others of the account from taking positions: earlier events are
 * committed, later ones are processed.
 */
export async function startCursors(
  tx: Tx,
  table: 'email_reactions' | 'webhooks',
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    with place as (
      select position from account_positions where account_id = ${accountId}::uuid for update
    )
    update ${sql.table(table)} set cursor = place.position from place
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(tx);
}
