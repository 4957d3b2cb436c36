import { limits } from '@mneme/contract';
import { filterErased } from '../../instance/erasure-ledger.ts';
import type { TxCtx } from '../ctx.ts';
import type { ImportOptions, ImportOutcome } from '../import-outcome.ts';
import { lockLinkTargets } from '../memories/index.ts';
import { readVectors } from '../search-index/index.ts';
import { applyClusterDeltas, ClusterDeltas } from './centroid-update.ts';
import type { ClusterRecord } from './model.ts';
import {
  findClusterIdByName,
  findClusters,
  insertClusters,
  lockClustering,
} from './store/clusters.ts';
import { insertImportedMembers, membershipsOf } from './store/members.ts';

export interface ImportedCluster {
  readonly outcome: ImportOutcome;
  /** The cluster that the account has for it; null: it was skipped. */
  readonly id: string | null;
}

/**
 * Stores clusters of an import without members. One with the same id, or with the same name in the
 * scope, is the same cluster and stays as it is.
 */
export async function importClusters(
  inTx: TxCtx,
  records: readonly ClusterRecord[],
  { isDryRun }: ImportOptions,
): Promise<ImportedCluster[]> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  await lockClustering(tx, accountId);
  const ids = records.map(({ id }) => id);
  const stored = new Set((await findClusters(tx, accountId, ids)).map(({ id }) => id));
  const erased = await filterErased(tx, 'cluster', ids);
  const imported: ImportedCluster[] = [];
  for (const record of records) {
    const { id, space_id, name } = record;
    const knownId = stored.has(id) ? id : await findClusterIdByName(tx, accountId, space_id, name);
    if (knownId !== undefined) imported.push({ outcome: 'unchanged', id: knownId });
    else if (erased.has(id)) imported.push({ outcome: 'erased_in_account', id: null });
    else {
      if (!isDryRun) await insertClusters(tx, accountId, [record]);
      imported.push({ outcome: 'created', id });
    }
  }
  return imported;
}

export interface MemberToImport {
  readonly cluster_id: string;
  readonly memory_id: string;
  readonly confidence: number;
  readonly added_at: Date;
}

/** Adds memories to clusters; a membership that exists stays. */
export async function importClusterMembers(
  inTx: TxCtx,
  members: readonly MemberToImport[],
  { isDryRun }: ImportOptions,
): Promise<ImportOutcome[]> {
  const { tx, actor } = inTx;
  const { accountId } = actor;
  const memoryIds = [...new Set(members.map(({ memory_id }) => memory_id))];
  const targets = await lockLinkTargets(tx, accountId, memoryIds);
  const memories = new Map(targets.map((memory) => [memory.id, memory]));
  await lockClustering(tx, accountId);
  const found = await findClusters(tx, accountId, [
    ...new Set(members.map(({ cluster_id }) => cluster_id)),
  ]);
  const clusters = new Map(found.map((cluster) => [cluster.id, cluster]));
  const existing = await membershipsOf(tx, accountId, memoryIds);
  const known = new Set(existing.map((one) => `${one.cluster_id} ${one.memory_id}`));
  const counts = new Map<string, number>();
  for (const { memory_id: id } of existing) counts.set(id, (counts.get(id) ?? 0) + 1);
  const outcomes = members.map(({ cluster_id, memory_id }): ImportOutcome => {
    const key = `${cluster_id} ${memory_id}`;
    if (known.has(key)) return 'unchanged';
    const memory = memories.get(memory_id);
    const cluster = clusters.get(cluster_id);
    if (!isDryRun && !cluster) return 'cluster_missing';
    const isInScope =
      !cluster || !memory || (cluster.space_id ?? memory.space_id) === memory.space_id;
    if ((!isDryRun && !memory) || !isInScope) return 'memory_missing';
    const count = counts.get(memory_id) ?? 0;
    if (count >= limits.clustersPerMemoryMax) return 'limit_exceeded';
    counts.set(memory_id, count + 1);
    known.add(key);
    return 'created';
  });
  if (isDryRun) return outcomes;
  const created = members.filter((_, i) => outcomes[i] === 'created');
  if (created.length === 0) return outcomes;
  const ids = [...new Set(created.map(({ memory_id }) => memory_id))];
  const stored = await readVectors(tx, accountId, ids);
  const deltas = new ClusterDeltas();
  const rows = created.map(({ cluster_id, memory_id, confidence, added_at }) => {
    const isActive = memories.get(memory_id)?.deleted_at === null;
    const isSummed = isActive && stored.vectors.has(memory_id);
    const delta = deltas.of(cluster_id);
    if (isActive) delta.count += 1;
    if (isSummed) delta.vectors.push({ memoryId: memory_id, sign: 1 });
    const setId = clusters.get(cluster_id)?.member_set_id ?? '';
    return { setId, memoryId: memory_id, confidence, isSummed, addedAt: added_at };
  });
  await insertImportedMembers(tx, accountId, rows);
  await applyClusterDeltas(inTx, accountId, deltas, stored);
  return outcomes;
}
