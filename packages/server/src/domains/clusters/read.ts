import {
  type ClusterDetail,
  contentScope,
  limits,
  type OwnerFilter,
  type ResponseBody,
  type routes,
  type ValidatedRequest,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { toPagination } from '../../kernel/pagination.ts';
import { requireScope } from '../accounts/index.ts';
import {
  type Ctx,
  requestedUser,
  requireMemoryAccess,
  visibilityOf,
  visibleSpaces,
} from '../ctx.ts';
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
  nameKey,
  presentCluster,
  presentMetrics,
  presentTopic,
} from './model.ts';
import { loadOwnedClusters } from './owned.ts';
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
  // The revision of the cluster counts changes by other users' memories.
  if (!query.include_memories) {
    return ctx.actor.user === null ? new Reply(body, etagHeader(record)) : new Reply(body);
  }
  const { memories, total } = await loadMembers(ctx, record, query);
  const { has_more } = toPagination(query, total, memories.length);
  const memories_pagination = { limit: query.limit, offset: query.offset, has_more };
  return new Reply({ ...body, memories, memories_pagination });
}

type PageRange = ValidatedRequest<typeof routes.clusters.ofMemory>['query'];

/** A page of its memories that the key may see. */
async function loadMembers(
  ctx: Ctx,
  { member_set_id }: ClusterRecord,
  { user_id, agent_id, run_id, ...page }: MemberPageQuery & OwnerFilter,
) {
  const { actor, engine } = ctx;
  const { accountId } = actor;
  const { rows, total } = await listMembers(
    engine.db,
    accountId,
    member_set_id,
    {
      visible: visibilityOf(actor),
      owner: { user_id: requestedUser(actor, user_id), agent_id, run_id },
    },
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
  requireMemoryAccess(actor, memory);
  const visible = visibleSpaces(actor);
  const { rows, total } =
    actor.user === null
      ? await clustersOfMemory(engine.db, accountId, memoryId, visible, page)
      : await ownedClustersOfMemory(ctx, memoryId, page);
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

/** The order of the stored names would tell of other members. */
async function ownedClustersOfMemory(ctx: Ctx, memoryId: string, { limit, offset }: PageRange) {
  const { engine, actor } = ctx;
  const all = { limit: limits.clustersPerMemoryMax * 2, offset: 0 };
  const visible = visibleSpaces(actor);
  const { rows } = await clustersOfMemory(engine.db, actor.accountId, memoryId, visible, all);
  const ids = rows.map(({ id }) => id);
  const owned = new Map((await loadOwnedClusters(ctx, ids)).map((one) => [one.id, one]));
  const found = rows.flatMap(({ id, confidence, added_at }) => {
    const cluster = owned.get(id);
    return cluster ? [{ ...cluster, confidence, added_at }] : [];
  });
  const keyOf = (one: ClusterRecord): string => `${nameKey(one.name)} ${one.id}`;
  found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { rows: found.slice(offset, offset + limit), total: found.length };
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
