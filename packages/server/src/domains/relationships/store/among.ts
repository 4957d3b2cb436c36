import { sql } from 'kysely';
import type { Db, Tx } from '../../../engine/index.ts';
import type { RelationshipRecord } from '../model.ts';

/** Relationships whose both ends are in a set of memories, locked in the order of their ids. */
export const lockAmong = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<RelationshipRecord[]> =>
  tx
    .selectFrom('relationships')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(sql<boolean>`source_id = any(${ids}::uuid[])`)
    .where(sql<boolean>`target_id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();

export async function idsAmong(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('relationships')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`source_id = any(${ids}::uuid[])`)
    .where(sql<boolean>`target_id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Writes what a reinforcement changes, of many at once. */
export async function saveReinforced(
  tx: Tx,
  accountId: string,
  records: readonly RelationshipRecord[],
): Promise<void> {
  const rows = records.map(({ id, weight, weight_set_at: at, usage_count: uses }) => ({
    i: id,
    w: weight,
    a: at,
    u: uses,
  }));
  await sql`
    update relationships set weight = w, weight_set_at = a, usage_count = u,
      last_reinforced_at = a, updated_at = a
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (i uuid, w float8, a timestamptz, u integer)
    where account_id = ${accountId}::uuid and relationships.id = i
  `.execute(tx);
}
