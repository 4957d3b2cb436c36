import type { Cluster } from '@mneme/contract';
import type { KeywordScorer } from '@mneme/text';
import { type Ctx, visibleSpaces } from '../ctx.ts';
import { type ClusterRecord, presentCluster } from './model.ts';
import { clusterNamesOfMemories, listClustersAfter } from './store/lists.ts';

const pageRows = 500;
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Clusters that the key may see, matched by name, description and topic: the best first, ties by
 * name. The name counts twice.
 */
export async function findClustersByWords(
  ctx: Ctx,
  { weigh, limit }: { readonly weigh: KeywordScorer; readonly limit: number },
): Promise<{ items: Cluster[]; total: number }> {
  const { accountId } = ctx.actor;
  const matches: { cluster: ClusterRecord; weight: number }[] = [];
  for (let after = nilUuid; ; ) {
    const page = { after, limit: pageRows };
    const rows = await listClustersAfter(ctx.engine.db, accountId, visibleSpaces(ctx.actor), page);
    for (const cluster of rows) {
      const weight = weigh(searchableText(cluster));
      if (weight > 0) matches.push({ cluster, weight: weight + weigh(cluster.name) });
    }
    const last = rows.at(-1);
    if (!last || rows.length < pageRows) break;
    after = last.id;
  }
  matches.sort((a, b) => b.weight - a.weight || (a.cluster.name < b.cluster.name ? -1 : 1));
  return {
    items: matches.slice(0, limit).map(({ cluster }) => presentCluster(cluster)),
    total: matches.length,
  };
}

const searchableText = ({ name, description, topic_label, topic_terms }: ClusterRecord): string =>
  [name, description, topic_label, ...(topic_terms ?? []).map(({ term }) => term)]
    .filter((part) => part !== null)
    .join('\n');

/** The visible clusters by which an aggregate groups memories. */
export async function clustersOfMemories(
  ctx: Ctx,
  memoryIds: readonly string[],
): Promise<Map<string, { key: string; label: string }[]>> {
  const { engine, actor } = ctx;
  const visible = visibleSpaces(actor);
  const rows = await clusterNamesOfMemories(engine.db, actor.accountId, memoryIds, visible);
  const groups = new Map<string, { key: string; label: string }[]>();
  for (const { memory_id, id, name } of rows) {
    const clusters = groups.get(memory_id) ?? [];
    clusters.push({ key: id, label: name });
    groups.set(memory_id, clusters);
  }
  return groups;
}
