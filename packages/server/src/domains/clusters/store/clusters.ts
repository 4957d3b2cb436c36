import { type RawBuilder, sql } from 'kysely';
import { accountRow, type Db, type Tx } from '../../../database/index.ts';
import { type ClusterRecord, type ClusterSettings, nameKey } from '../model.ts';

const columnList = `account_id, id, space_id, type, name, is_named, description, color, metadata,
  member_set_id, run_id, memory_count, silhouette_score, dbcv_score, cohesion_score, computed_at,
  topic_label, topic_terms, representatives, revision, created_at, updated_at,
  coalesce(octet_length(vector_sum), 0) > 0 as has_centroid`;
export const clusterColumns = sql.raw(columnList);

const nilUuid = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** The scope of names and runs: a space, or the whole account. */
const inScope = (spaceId: string | null): RawBuilder<unknown> =>
  sql`coalesce(space_id, ${nilUuid}) = coalesce(${spaceId}::uuid, ${nilUuid})`;

/** Clusters that a key may see: those of its spaces, and account-wide manual ones. */
export const visibleClustersCondition = (visible: readonly string[] | null): RawBuilder<unknown> =>
  visible === null
    ? sql`true`
    : sql`(coalesce(space_id::text, 'default') = any(${visible}::text[])
        and (type = 'manual' or space_id is not null))`;

/** Serializes the writers of the account's clusters until the transaction ends. */
export async function lockClustering(tx: Tx, accountId: string): Promise<ClusterSettings> {
  const { rows } = await sql<ClusterSettings>`
    insert into clustering_settings (account_id) values (${accountId}::uuid)
    on conflict (account_id) do update set account_id = excluded.account_id
    returning algorithm, min_cluster_size, auto_enabled`.execute(tx);
  return rows[0] as ClusterSettings;
}

/** Published clusters by id, without a check of access. */
export async function findClusters(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<ClusterRecord[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ClusterRecord>`
    select ${clusterColumns} from clusters
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[]) and run_id is null
  `.execute(db);
  return rows;
}

export const findCluster = async (
  db: Db,
  accountId: string,
  id: string,
): Promise<ClusterRecord | undefined> => (await findClusters(db, accountId, [id]))[0];

/** All automatic clusters of a scope. */
export async function listAutomaticClusters(
  db: Db,
  accountId: string,
  spaceId: string | null,
): Promise<ClusterRecord[]> {
  const { rows } = await sql<ClusterRecord>`
    select ${clusterColumns} from clusters
    where account_id = ${accountId}::uuid and ${inScope(spaceId)} and run_id is null
      and type <> 'manual' order by id`.execute(db);
  return rows;
}

/** Clusters of a scope: the automatic ones first, of each kind the largest. */
export async function listClustersOfScope(
  db: Db,
  accountId: string,
  spaceId: string | null,
  limit: number,
): Promise<ClusterRecord[]> {
  const { rows } = await sql<ClusterRecord>`
    select ${clusterColumns} from clusters
    where account_id = ${accountId}::uuid and ${inScope(spaceId)} and run_id is null
    order by type = 'manual', memory_count desc, id limit ${limit}::int`.execute(db);
  return rows;
}

/** The keys of all names in a scope, with the ids of their clusters. */
export async function listNameKeys(
  db: Db,
  accountId: string,
  spaceId: string | null,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ normalized_name: string; id: string }>`
    select normalized_name, id from clusters
    where account_id = ${accountId}::uuid and ${inScope(spaceId)} and run_id is null`.execute(db);
  return new Map(rows.map((row) => [row.normalized_name, row.id]));
}

/** The cluster of the scope with this name. */
export async function findClusterIdByName(
  db: Db,
  accountId: string,
  spaceId: string | null,
  name: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from clusters
    where account_id = ${accountId}::uuid and ${inScope(spaceId)} and run_id is null
      and normalized_name = ${nameKey(name)}`.execute(db);
  return rows[0]?.id;
}

const rowOf = (record: ClusterRecord) => ({
  ...record,
  normalized_name: nameKey(record.name),
  metadata: JSON.stringify(record.metadata),
  topic_terms: record.topic_terms && JSON.stringify(record.topic_terms),
});

/** Inserts clusters without members. */
export async function insertClusters(
  tx: Tx,
  accountId: string,
  records: readonly ClusterRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await sql`
    insert into clusters (account_id, id, space_id, type, name, normalized_name, is_named,
      description,
      color, metadata, member_set_id, run_id, vector_sum, silhouette_score, dbcv_score,
      cohesion_score,
      computed_at, topic_label, topic_terms, representatives, created_at, updated_at)
    select account.account_id, id, space_id, type, name, normalized_name, is_named, description,
      color, metadata::jsonb, member_set_id, run_id, ''::bytea, silhouette_score, dbcv_score,
      cohesion_score,
      computed_at, topic_label, topic_terms::jsonb, representatives, created_at, updated_at
    from ${accountRow(accountId)},
      json_to_recordset(${JSON.stringify(records.map(rowOf))}::json) as row (id uuid,
      space_id uuid, type text, name text, normalized_name text, is_named boolean,
      description text, color text, metadata text, member_set_id uuid, run_id uuid,
      silhouette_score float8, dbcv_score float8, cohesion_score float8, computed_at timestamptz,
      topic_label text, topic_terms text, representatives uuid[], created_at timestamptz,
      updated_at timestamptz)`.execute(tx);
}

/** Writes everything except the members; increments the revision. */
export async function saveCluster(tx: Tx, record: ClusterRecord): Promise<void> {
  const row = rowOf(record);
  await tx
    .updateTable('clusters')
    .set({
      type: row.type,
      name: row.name,
      normalized_name: row.normalized_name,
      is_named: row.is_named,
      description: row.description,
      color: row.color,
      metadata: row.metadata,
      silhouette_score: row.silhouette_score,
      dbcv_score: row.dbcv_score,
      cohesion_score: row.cohesion_score,
      computed_at: row.computed_at,
      topic_label: row.topic_label,
      topic_terms: row.topic_terms,
      representatives: row.representatives,
      updated_at: row.updated_at,
      revision: sql<number>`revision + 1`,
    })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
}

export async function deleteClusters(
  tx: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`delete from clusters
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(tx);
}

/** Clusters of a space that is being removed, including staged ones. */
export async function clustersOfSpace(
  tx: Tx,
  accountId: string,
  spaceId: string,
): Promise<{ id: string; member_set_id: string; run_id: string | null }[]> {
  const { rows } = await sql<{ id: string; member_set_id: string; run_id: string | null }>`
    select id, member_set_id, run_id from clusters
    where account_id = ${accountId}::uuid and space_id = ${spaceId}::uuid order by id`.execute(tx);
  return rows;
}

export async function findClusterSettings(db: Db, accountId: string): Promise<ClusterSettings> {
  const row = await db
    .selectFrom('clustering_settings')
    .select(['algorithm', 'min_cluster_size', 'auto_enabled'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const unset = { algorithm: 'hdbscan', min_cluster_size: 5, auto_enabled: false };
  return (row ?? unset) as ClusterSettings;
}

export async function saveClusterSettings(
  tx: Tx,
  accountId: string,
  settings: ClusterSettings,
): Promise<void> {
  const { algorithm, min_cluster_size, auto_enabled } = settings;
  await tx
    .updateTable('clustering_settings')
    .set({ algorithm, min_cluster_size, auto_enabled })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * The other clusters of its scope that its metrics are compared with: manual ones with manual ones.
 */
export async function siblingsOf(db: Db, accountId: string, one: ClusterRecord) {
  const { rows } = await sql<{ id: string; member_set_id: string }>`
    select id, member_set_id from clusters
    where account_id = ${accountId}::uuid and ${inScope(one.space_id)} and run_id is null
      and (type = 'manual') = ${one.type === 'manual'}::boolean and id <> ${one.id}::uuid
      and memory_count > 0
    order by id`.execute(db);
  return rows;
}
