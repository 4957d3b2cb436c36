import {
  type ClusterDetail,
  contentScope,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { requireScope } from '../accounts/index.ts';
import { type Ctx, requireSpaceAccess, visibleSpaces } from '../ctx.ts';
import { Reply } from '../handler.ts';
import {
  findLinkTargets,
  memoriesById,
  presentMemories,
  visibleMemoryIds,
} from '../memories/index.ts';
import { presentClustersWithIncludes } from './list.ts';
import { requireCluster } from './lookup.ts';
import {
  type ClusterRecord,
  etagHeader,
  presentCluster,
  presentMetrics,
  presentTopic,
} from './model.ts';
import { clustersOfMemory } from './store/lists.ts';
import { listMembers, type MemberPageQuery } from './store/members.ts';

/**
 * Includes the memories on request, then without an ETag, because they change independently of the
 * cluster. Throws 404 cluster_not_found, 403 space_access_denied, and insufficient_permissions for
 * the memories without the scope of their content.
 */
export async function getCluster(
  ctx: Ctx,
  id: string,
  query: ValidatedRequest<typeof routes.clusters.get>['query'],
): Promise<Reply<ClusterDetail>> {
  if (query.include_memories) requireScope(ctx.actor, contentScope);
  const record = await requireCluster(ctx, id);
  const [body = presentCluster(record)] = await presentClustersWithIncludes(
    ctx,
    [record],
    query.include,
  );
  if (!query.include_memories) return new Reply(body, etagHeader(record));
  const { memories, total } = await loadMembers(ctx, record, query);
  const { has_more } = toPagination(query, total, memories.length);
  const memories_pagination = { limit: query.limit, offset: query.offset, has_more };
  return new Reply({ ...body, memories, memories_pagination });
}

/** A page of its memories that the key may see. */
async function loadMembers(ctx: Ctx, { member_set_id }: ClusterRecord, page: MemberPageQuery) {
  const { actor, engine } = ctx;
  const { accountId } = actor;
  const { rows, total } = await listMembers(
    engine.db,
    accountId,
    member_set_id,
    visibleSpaces(actor),
    page,
  );
  const records = await memoriesById(
    ctx,
    rows.map(({ memory_id }) => memory_id),
  );
  const presented = await presentMemories(ctx, [...records.values()]);
  const memoryById = new Map(presented.map((memory) => [memory.id, memory]));
  const memories = rows.flatMap(({ memory_id, confidence, added_at }) => {
    const memory = memoryById.get(memory_id);
    return memory ? [{ ...memory, confidence, added_at: added_at.toISOString() }] : [];
  });
  return { memories, total };
}

/** Throws 404 cluster_not_found, 403 space_access_denied. */
export async function listClusterMemories(
  ctx: Ctx,
  id: string,
  query: ValidatedRequest<typeof routes.clusters.memories>['query'],
): Promise<ResponseBody<typeof routes.clusters.memories>> {
  const record = await requireCluster(ctx, id);
  const { memories, total } = await loadMembers(ctx, record, query);
  const pagination = toPagination(query, total, memories.length);
  return {
    cluster_id: id,
    cluster_name: record.name,
    memories,
    pagination: { ...pagination, count: memories.length },
  };
}

/** Accepts a soft-deleted memory, too. Throws 404 memory_not_found, 403 space_access_denied. */
export async function listClustersOfMemory(
  ctx: Ctx,
  memoryId: string,
  page: ValidatedRequest<typeof routes.clusters.ofMemory>['query'],
): Promise<ResponseBody<typeof routes.clusters.ofMemory>> {
  const { actor, engine } = ctx;
  const { accountId } = actor;
  const [memory] = await findLinkTargets(engine.db, accountId, [memoryId]);
  if (!memory) throw new AppError('memory_not_found');
  requireSpaceAccess(actor, memory.space_id);
  const visible = visibleSpaces(actor);
  const { rows, total } = await clustersOfMemory(engine.db, accountId, memoryId, visible, page);
  return {
    memory_id: memoryId,
    data: rows.map(({ confidence, added_at, ...record }) => ({
      ...presentCluster(record),
      confidence,
      added_at: added_at.toISOString(),
    })),
    pagination: toPagination(page, total, rows.length),
  };
}

export async function getClusterQuality(
  ctx: Ctx,
  id: string,
): Promise<ResponseBody<typeof routes.clusters.quality>> {
  return { cluster_id: id, ...presentMetrics(await requireCluster(ctx, id)) };
}

export async function getClusterTopics(
  ctx: Ctx,
  id: string,
): Promise<ResponseBody<typeof routes.clusters.topics>> {
  const record = await requireCluster(ctx, id);
  const present = await visibleMemoryIds(ctx, record.representatives ?? []);
  return { cluster_id: id, ...presentTopic(record, present) };
}
