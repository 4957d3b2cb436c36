import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';
import type { RelationshipRecord } from '../model.ts';
import { relationshipColumns } from './relationships.ts';

/** Relationships between memories of a set, locked in the order of their ids. */
export const lockRelationshipsAmong = (
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<RelationshipRecord[]> =>
  tx
    .selectFrom('relationships')
    .select(relationshipColumns)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`source_id = any(${ids}::uuid[])`)
    .where(sql<boolean>`target_id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();

/** A relationship by its two memories. */
export type LinkEndpoints = Pick<RelationshipRecord, 'id' | 'source_id' | 'target_id'>;

const selectEndpoints = (db: Db, accountId: string) =>
  db
    .selectFrom('relationships')
    .select(['id', 'source_id', 'target_id'])
    .where('account_id', '=', accountId);

/** Relationships from one of these memories, unordered. */
export const findLinksFrom = (
  db: Db,
  accountId: string,
  sources: readonly string[],
): Promise<LinkEndpoints[]> =>
  selectEndpoints(db, accountId).where(sql<boolean>`source_id = any(${sources}::uuid[])`).execute();

/** Relationships of a type to these memories, unordered. */
export const findLinksTo = (
  db: Db,
  accountId: string,
  targets: readonly string[],
  type: string,
): Promise<LinkEndpoints[]> =>
  selectEndpoints(db, accountId)
    .where(sql<boolean>`target_id = any(${targets}::uuid[])`)
    .where('type', '=', type)
    .execute();

/** Relationships of a type between memories of a set, unordered. */
export const findLinksAmong = (
  db: Db,
  accountId: string,
  ids: readonly string[],
  type: string,
): Promise<LinkEndpoints[]> =>
  selectEndpoints(db, accountId)
    .where(sql<boolean>`source_id = any(${ids}::uuid[])`)
    .where(sql<boolean>`target_id = any(${ids}::uuid[])`)
    .where('type', '=', type)
    .execute();

/** Weights of relationships ordered by id, for walks and clusters. */
export const listWeightsAfter = (
  db: Db,
  accountId: string,
  after: string,
  limit: number,
): Promise<WeightRow[]> =>
  db
    .selectFrom('relationships')
    .select(weightColumns)
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

const weightColumns = [
  'id',
  'source_id',
  'target_id',
  'weight',
  'weight_set_at',
  'decay_rate',
  'pinned_memory_count',
] as const;
type WeightRow = Pick<RelationshipRecord, (typeof weightColumns)[number]>;

/** Writes the changes of reinforcements in bulk. */
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
