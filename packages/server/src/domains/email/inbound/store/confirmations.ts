import type { Insertable, Selectable } from 'kysely';
import type { Tables, Tx } from '../../../../database/index.ts';

type ConfirmationRecord = Selectable<Tables['email_confirmations']>;

export async function insertConfirmation(
  tx: Tx,
  row: Insertable<Tables['email_confirmations']>,
): Promise<void> {
  await tx.insertInto('email_confirmations').values(row).execute();
}

/** Locks open confirmations, so that a code is used only once. */
export const lockOpenConfirmations = (
  tx: Tx,
  accountId: string,
  sender: string,
  now: Date,
): Promise<ConfirmationRecord[]> =>
  tx
    .selectFrom('email_confirmations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('sender', '=', sender)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id')
    .forUpdate()
    .execute();

export async function markConfirmationUsed(
  tx: Tx,
  { account_id: accountId, id }: Pick<ConfirmationRecord, 'account_id' | 'id'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('email_confirmations')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

/** A wrong code counts against every open code of the sender. */
export async function countWrongConfirmationCode(
  tx: Tx,
  accountId: string,
  sender: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('email_confirmations')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('sender', '=', sender)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
}
