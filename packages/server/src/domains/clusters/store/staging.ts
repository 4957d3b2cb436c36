import { sql } from 'kysely';
import type { Db, Tx } from '../../../database/index.ts';
import { type ClusterRecord, nameKey } from '../model.ts';
import { clusterColumns } from './clusters.ts';

/** The clusters that a run has staged, unordered. */
export async function findStagedClusters(
  db: Db,
  accountId: string,
  runId: string,
): Promise<ClusterRecord[]> {
  const { rows } = await sql<ClusterRecord>`
    select ${clusterColumns} from clusters
    where account_id = ${accountId}::uuid and run_id = ${runId}::uuid`.execute(db);
  return rows;
}

/** A staged cluster that continues an existing one. */
export interface StagedReplacement {
  readonly id: string;
  readonly stagedId: string;
  readonly name: string;
}

/** Writes new members, scores and topics to clusters that keep their ids. */
export async function replaceWithStagedClusters(
  tx: Tx,
  accountId: string,
  adoptions: readonly StagedReplacement[],
  now: Date,
): Promise<void> {
  if (adoptions.length === 0) return;
  const rows = adoptions.map(({ id, stagedId, name }) => ({
    i: id,
    s: stagedId,
    n: name,
    k: nameKey(name),
  }));
  const ids = adoptions.map(({ id }) => id);
  // First temporary names, because two clusters may swap theirs. The capital letters cannot occur
  // in the key of a name.
  await sql`update clusters set normalized_name = 'ID ' || id::text
    where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])`.execute(tx);
  await sql`
    update clusters as c set name = n, normalized_name = k, type = s.type, member_set_id =
      s.member_set_id,
      memory_count = s.memory_count, vector_sum = s.vector_sum, vector_model = s.vector_model,
      silhouette_score = s.silhouette_score, dbcv_score = s.dbcv_score,
      cohesion_score = s.cohesion_score, computed_at = s.computed_at,
      topic_label = s.topic_label, topic_terms = s.topic_terms,
      representatives = s.representatives, revision = c.revision + 1,
      updated_at = ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (i uuid, s uuid, n text, k text)
    join clusters s on s.account_id = ${accountId}::uuid and s.id = row.s
    where c.account_id = ${accountId}::uuid and c.id = i`.execute(tx);
  const staged = adoptions.map(({ stagedId }) => stagedId);
  await sql`delete from clusters
    where account_id = ${accountId}::uuid and id = any(${staged}::uuid[])`.execute(tx);
}

/** Publishes the staged clusters. */
export async function publishStagedClusters(
  tx: Tx,
  accountId: string,
  named: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  const rows = named.map(({ id, name }) => ({ i: id, n: name, k: nameKey(name) }));
  await sql`
    update clusters set run_id = null, name = n, normalized_name = k
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (i uuid, n text, k text)
    where account_id = ${accountId}::uuid and id = i`.execute(tx);
}

/** Writes the scores of one cluster. */
export async function saveClusterScores(
  tx: Tx,
  accountId: string,
  id: string,
  scores: {
    readonly silhouette: number | null;
    readonly dbcv: number | null;
    readonly cohesion: number | null;
  },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('clusters')
    .set({
      silhouette_score: scores.silhouette,
      dbcv_score: scores.dbcv,
      cohesion_score: scores.cohesion,
      computed_at: now,
      revision: sql<number>`revision + 1`,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}
