import type { Insertable } from 'kysely';
import type { Tables, Tx } from '../../../engine/index.ts';

/** False where its key was used before. */
export async function insertOutbound(
  tx: Tx,
  row: Insertable<Tables['outbound_mails']>,
): Promise<boolean> {
  const made = await tx
    .insertInto('outbound_mails')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'dedupe_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

/** The first reason stays. */
export async function suppressAddress(
  tx: Tx,
  row: Insertable<Tables['email_suppressions']>,
): Promise<void> {
  await tx
    .insertInto('email_suppressions')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'email']).doNothing())
    .execute();
}
