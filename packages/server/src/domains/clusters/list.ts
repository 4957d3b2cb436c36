import { parseId, type ResponseBody, type routes, type ValidatedRequest } from '@mneme/contract';
import { decodeCursor, encodeCursor, toPagination } from '../../kernel/pagination.ts';
import { type Ctx, requestedUser, visibleSpaces } from '../ctx.ts';
import { visibleMemoryIds } from '../memories/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import {
  type ClusterRecord,
  colorForms,
  presentCluster,
  presentMetrics,
  presentTopic,
} from './model.ts';
import { listOwnedClusters, positionOf } from './owned.ts';
import { type ClusterFilter, type ClusterSortField, listClusterRows } from './store/lists.ts';

type Query = ValidatedRequest<typeof routes.clusters.list>['query'];
type CursorPosition = readonly [value: unknown, id: string];

/** The end of the year 9999. */
const timeMsMax = 253_402_300_799_999;
const countMax = 2_147_483_647;

const isWhole = (value: unknown, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;

/** A cursor comes from the client: its value must be one that the database can compare. */
const isValidValue: Readonly<Record<ClusterSortField, (value: unknown) => boolean>> = {
  name: (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
  created_at: (value) => isWhole(value, timeMsMax),
  updated_at: (value) => isWhole(value, timeMsMax),
  memory_count: (value) => isWhole(value, countMax),
  silhouette_score: (value) => value === null || Number.isFinite(value),
};

const isPositionOf =
  (sort: ClusterSortField) =>
  (at: unknown): at is CursorPosition =>
    Array.isArray(at) &&
    at.length === 2 &&
    isValidValue[sort](at[0]) &&
    typeof at[1] === 'string' &&
    parseId(at[1], 'other') !== null;

/**
 * Throws 400 invalid_request (the cursor), 404 space_not_found, 403 space_access_denied or
 * user_access_denied.
 */
export async function listClusters(
  ctx: Ctx,
  query: Query,
): Promise<ResponseBody<typeof routes.clusters.list>> {
  const { actor, engine } = ctx;
  const { cursor, limit, offset, include, ...filters } = query;
  const { sort, order } = query;
  const cursorScope = { ...filters, account: actor.accountId, user: actor.user };
  const position =
    cursor === undefined ? null : decodeCursor(cursorScope, cursor, isPositionOf(sort));
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  const user = requestedUser(actor, query.user_id);
  const range = {
    sort,
    order,
    after: position && { value: position[0], id: position[1] },
    limit: limit + 1,
    offset,
  };
  const { rows, total } =
    user === undefined && query.agent_id === undefined && query.run_id === undefined
      ? await listClusterRows(engine.db, actor.accountId, toClusterFilter(ctx, query), range)
      : await listOwnedClusters(ctx, query, range);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: await presentClustersWithIncludes(ctx, page, include),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeCursor(cursorScope, positionOf(last, sort)) : null,
    pagination: { ...toPagination({ limit, offset }, total, page.length), has_more: hasMore },
  };
}

const toClusterFilter = ({ actor }: Ctx, query: Query): ClusterFilter => ({
  visible: visibleSpaces(actor),
  q: query.q,
  spaceId: query.space_id,
  type: query.cluster_type,
  hasMemories: query.has_memories,
  colors: query.color?.flatMap(colorForms),
});

/** Clusters with the fields requested by `include`. */
export async function presentClustersWithIncludes(
  ctx: Ctx,
  records: readonly ClusterRecord[],
  include: Query['include'] = [],
) {
  const includes = new Set<string>(include);
  const representativeIds = records.flatMap(({ representatives }) => representatives ?? []);
  const present = includes.has('topic_info')
    ? await visibleMemoryIds(ctx, representativeIds)
    : new Set<string>();
  return records.map((record) => ({
    ...presentCluster(record),
    ...(includes.has('quality_metrics') ? { quality_metrics: presentMetrics(record) } : {}),
    ...(includes.has('topic_info') ? { topic_info: presentTopic(record, present) } : {}),
  }));
}
