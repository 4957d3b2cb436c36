import { type RawBuilder, sql } from 'kysely';

/**
 * The table `account (account_id)` with one row, for `insert … select account.account_id, … from
 * ${accountRow(accountId)}, json_to_recordset(…)`. A distributed database sends an insert to the
 * node of its account only if it copies the account from a tenant table: with a parameter, the
 * coordinator reads all rows, plans twice and takes three times as long. Without rows if the
 * account was erased.
 */
export const accountRow = (accountId: string): RawBuilder<unknown> => sql`
  (select account_id from account_positions where account_id = ${accountId}::uuid) as account`;
