import type { Db } from '../../../database/index.ts';

const accountTables = [
  'email_addresses',
  'email_sender_rules',
  'email_confirmations',
  'email_reactions',
  'email_digests',
  'outbound_mails',
  'email_suppressions',
] as const;

/** Deletes all email rows of an account except inbound mails. */
export async function deleteAccountEmailRows(db: Db, accountId: string): Promise<void> {
  for (const table of accountTables) {
    await db.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
}
