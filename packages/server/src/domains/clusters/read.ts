import {
  type Answer,
  type Checked,
  type ClusterDetail,
  contentScope,
  type routes,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { paginationOf } from '../../kernel/page.ts';
import { requireScope } from '../accounts/index.ts';
import { type Ctx, requireSpace, visibleSpaces } from '../ctx.ts';
import { Reply } from '../handle.ts';
import { findEnds, memoriesById, presentMemory, visibleIds } from '../memories/index.ts';
import { knownCluster } from './found.ts';
import { withMore } from './list.ts';
import { type ClusterRecord, etagHeader, metricsOf, presentCluster, topicOf } from './model.ts';
import { clustersOfMemory } from './store/lists.ts';
import { listMembers, type MemberPage } from './store/members.ts';

/**
 * With the memories where they are asked for; then without an ETag, since they change without the
 * cluster. Throws 404 cluster_not_found, 403 space_access_denied, and insufficient_permissions for
 * the memories without the scope of their content.
 */
export async function getCluster(
  ctx: Ctx,
  id: string,
  query: Checked<typeof routes.clusters.get>['query'],
): Promise<Reply<ClusterDetail>> {
  if (query.include_memories) requireScope(ctx.actor, contentScope);
  const record = await knownCluster(ctx, id);
  const [body = presentCluster(record)] = await withMore(ctx, [record], query.include);
  if (!query.include_memories) return new Reply(body, etagHeader(record));
  const { memories, total } = await membersOf(ctx, record, query);
  const { has_more } = paginationOf(query, total, memories.length);
  const memories_pagination = { limit: query.limit, offset: query.offset, has_more };
  return new Reply({ ...body, memories, memories_pagination });
}

/** A page of its memories that the key may see. */
async function membersOf(ctx: Ctx, { set_id }: ClusterRecord, page: MemberPage) {
  const { actor, engine, clock } = ctx;
  const { accountId } = actor;
  const { rows, total } = await listMembers(
    engine.db,
    accountId,
    set_id,
    visibleSpaces(actor),
    page,
  );
  const records = await memoriesById(
    ctx,
    rows.map(({ memory_id }) => memory_id),
  );
  const now = clock.now();
  const memories = rows.flatMap(({ memory_id, confidence, added_at }) => {
    const record = records.get(memory_id);
    if (!record) return [];
    return [{ ...presentMemory(record, now), confidence, added_at: added_at.toISOString() }];
  });
  return { memories, total };
}

/** Throws 404 cluster_not_found, 403 space_access_denied. */
export async function listClusterMemories(
  ctx: Ctx,
  id: string,
  query: Checked<typeof routes.clusters.memories>['query'],
): Promise<Answer<typeof routes.clusters.memories>> {
  const record = await knownCluster(ctx, id);
  const { memories, total } = await membersOf(ctx, record, query);
  const pagination = paginationOf(query, total, memories.length);
  return {
    cluster_id: id,
    cluster_name: record.name,
    memories,
    pagination: { ...pagination, count: memories.length },
  };
}

/** Also of a soft-deleted one. Throws 404 memory_not_found, 403 space_access_denied. */
export async function listClustersOfMemory(
  ctx: Ctx,
  memoryId: string,
  page: Checked<typeof routes.clusters.ofMemory>['query'],
): Promise<Answer<typeof routes.clusters.ofMemory>> {
  const { actor, engine } = ctx;
  const { accountId } = actor;
  const [memory] = await findEnds(engine.db, accountId, [memoryId]);
  if (!memory) throw new AppError('memory_not_found');
  requireSpace(actor, memory.space_id);
  const visible = visibleSpaces(actor);
  const { rows, total } = await clustersOfMemory(engine.db, accountId, memoryId, visible, page);
  return {
    memory_id: memoryId,
    data: rows.map(({ confidence, added_at, ...record }) => ({
      ...presentCluster(record),
      confidence,
      added_at: added_at.toISOString(),
    })),
    pagination: paginationOf(page, total, rows.length),
  };
}

export async function clusterQuality(
  ctx: Ctx,
  id: string,
): Promise<Answer<typeof routes.clusters.quality>> {
  return { cluster_id: id, ...metricsOf(await knownCluster(ctx, id)) };
}

export async function clusterTopics(
  ctx: Ctx,
  id: string,
): Promise<Answer<typeof routes.clusters.topics>> {
  const record = await knownCluster(ctx, id);
  const present = await visibleIds(ctx, record.representatives ?? []);
  return { cluster_id: id, ...topicOf(record, present) };
}
