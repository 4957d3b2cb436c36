import { sql } from 'kysely';
import type { Tx } from '../../../database/index.ts';

/** Ordinals that the memories of sessions have, also those that wait for their erasure. */
export async function findTakenOrdinals(
  tx: Tx,
  accountId: string,
  sessionIds: readonly string[],
): Promise<Map<string, Set<number>>> {
  const rows = await tx
    .selectFrom('memories')
    .select(['session_id', 'session_ordinal'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`session_id = any(${sessionIds}::uuid[])`)
    .execute();
  const taken = new Map(sessionIds.map((id) => [id, new Set<number>()]));
  for (const { session_id: id, session_ordinal: ordinal } of rows)
    if (id !== null && ordinal !== null) taken.get(id)?.add(ordinal);
  return taken;
}
