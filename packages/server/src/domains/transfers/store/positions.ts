import type { Db } from '../../../database/index.ts';

/** Changes with every change of the account's content that is published or indexed. */
export async function readAccountPosition(db: Db, accountId: string): Promise<number> {
  const { position } = await db
    .selectFrom('account_positions')
    .select('position')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return position;
}
