import { type OwnerFilter, ownerNames } from '@mneme/contract';
import type { Insertable, Selectable } from 'kysely';
import { type Db, readPage, type Tables, type Tx } from '../../../../database/index.ts';
import type { PageRequest } from '../../../../kernel/pagination.ts';

export type SenderRuleRecord = Selectable<Tables['email_sender_rules']>;

const selectOfAccount = (db: Db, accountId: string) =>
  db.selectFrom('email_sender_rules').selectAll().where('account_id', '=', accountId);

/** Undefined if the pattern has a rule. */
export const insertSenderRule = (
  tx: Tx,
  row: Insertable<Tables['email_sender_rules']>,
): Promise<SenderRuleRecord | undefined> =>
  tx
    .insertInto('email_sender_rules')
    .values(row)
    .onConflict((on) => on.columns(['account_id', 'pattern']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** Undefined if there is no such rule. */
export const deleteSenderRule = (
  tx: Tx,
  accountId: string,
  rule: { id: string } | { pattern: string },
): Promise<{ id: string } | undefined> =>
  tx
    .deleteFrom('email_sender_rules')
    .where('account_id', '=', accountId)
    .where((eb) => eb.and(rule))
    .returning('id')
    .executeTakeFirst();

/** All rules: their number is limited. */
export const findSenderRules = (db: Db, accountId: string): Promise<SenderRuleRecord[]> =>
  selectOfAccount(db, accountId).execute();

/** Newest first. */
export function listSenderRuleRows(
  db: Db,
  accountId: string,
  filter: OwnerFilter & { readonly ruleType?: 'allow' | 'block' | undefined },
  page: PageRequest,
): Promise<{ rows: SenderRuleRecord[]; total: number }> {
  let query = selectOfAccount(db, accountId);
  if (filter.ruleType !== undefined) query = query.where('rule_type', '=', filter.ruleType);
  for (const name of ownerNames) {
    const id = filter[name];
    if (id !== undefined) query = query.where(name, '=', id);
  }
  return readPage(query.orderBy('created_at', 'desc').orderBy('id', 'desc'), page);
}

/** The ids of rules that block senders and have an owner. */
export async function findOwnedBlockRules(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('email_sender_rules')
    .select('id')
    .where('account_id', '=', accountId)
    .where('rule_type', '=', 'block')
    .where((eb) => eb.or(ownerNames.map((name) => eb(name, 'is not', null))))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function clearOwners(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await tx
    .updateTable('email_sender_rules')
    .set({ user_id: null, agent_id: null, run_id: null })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}
