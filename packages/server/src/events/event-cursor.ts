import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../database/index.ts';

/** Tables whose rows follow the events of their account, up to the position in `cursor`. */
export type CursorTable = 'email_reactions' | 'extraction_cursors' | 'webhooks';

/** SQL condition on `account_positions`: a row of the table has unprocessed events. */
export const hasUnprocessedEventsCondition = (table: CursorTable): RawBuilder<boolean> =>
  sql<boolean>`account_positions.position > coalesce(${sql.ref(`${table}.cursor`)}, 0)`;

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
