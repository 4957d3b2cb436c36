import type { Insertable, Selectable } from 'kysely';
import { type Db, readPage, type Tables, type Tx } from '../../../../database/index.ts';
import type { PageRequest } from '../../../../kernel/pagination.ts';

export type AddressRecord = Selectable<Tables['email_addresses']>;

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('email_addresses').selectAll().where('account_id', '=', accountId);

export const findActiveAddress = (db: Db, accountId: string): Promise<AddressRecord | undefined> =>
  selectOfAccount(db, accountId).where('is_active', '=', true).executeTakeFirst();

/** False if the local part is in use or the account has an active address. */
export async function insertAddress(
  tx: Tx,
  row: Insertable<Tables['email_addresses']>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('email_addresses')
    .values(row)
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** @param acceptsUntil grace period of the active address; null: no address accepts mail */
export async function deactivateAddresses(
  tx: Tx,
  accountId: string,
  acceptsUntil: Date | null,
): Promise<void> {
  const update = tx.updateTable('email_addresses').where('account_id', '=', accountId);
  const set = { is_active: false, accepts_until: acceptsUntil };
  await (acceptsUntil === null
    ? update.set(set)
    : update.where('is_active', '=', true).set(set)
  ).execute();
}

/** Newest first. */
export const listAddressRows = (
  db: Db,
  accountId: string,
  page: PageRequest,
): Promise<{ rows: AddressRecord[]; total: number }> =>
  readPage(
    selectOfAccount(db, accountId).orderBy('created_at', 'desc').orderBy('id', 'desc'),
    page,
  );

/** Searches all accounts, also for inactive addresses. */
export const findAddress = (
  db: Db,
  { localPart, domain }: { localPart: string; domain: string },
): Promise<AddressRecord | undefined> =>
  db
    .selectFrom('email_addresses')
    .selectAll()
    .where('local_part', '=', localPart)
    .where('domain', '=', domain)
    .executeTakeFirst();
