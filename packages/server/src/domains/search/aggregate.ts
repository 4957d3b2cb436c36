import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { chargeSearches } from '../accounts/index.ts';
import { type Ctx, requireEveryUser } from '../ctx.ts';
import { recordAccess } from '../memories/index.ts';
import { GroupCollector, type ResultGroup } from '../search-index/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { findAllHits, findResultGroups } from './find.ts';
import { memoryGroupingRegistry } from './hooks.ts';
import type { SearchCriteria } from './search-plan.ts';
import { singleSpaceEventContext } from './searchable-spaces.ts';

type Query = ValidatedRequest<typeof routes.search.aggregate>['query'];
type AggregateResponse = ResponseBody<typeof routes.search.aggregate>;
type CountedGroups = Pick<AggregateResponse, 'total_count' | 'groups'>;

/** Number of memories looked up at a time if another domain knows the groups. */
const lookupBatchSize = 5_000;

/**
 * Counts all results of a search by group. Throws 404 space_not_found, 403 space_access_denied or
 * user_access_denied, 500 embedding_failed.
 */
export async function aggregateSearchResults(ctx: Ctx, query: Query): Promise<AggregateResponse> {
  // The label of a cluster is made of all of its memories.
  if (query.group_by === 'clusters') requireEveryUser(ctx.actor);
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  await chargeSearches(ctx, 1);
  const { query: q, space_id, user_id, agent_id, run_id } = query;
  const criteria = { q, space_id, user_id, agent_id, run_id, include_superseded: true };
  const counted = await countGroups(ctx, criteria, query);
  const ids = new Set(counted.groups.flatMap(({ top }) => top.map(({ id }) => id)));
  recordAccess(
    ctx,
    [...ids],
    { via: 'aggregate' },
    singleSpaceEventContext(ctx, query, { query: query.query }),
  );
  recordActivation(ctx, query.session, [...ids]);
  return { query: query.query, group_by: query.group_by, ...counted };
}

async function countGroups(
  ctx: Ctx,
  criteria: SearchCriteria,
  query: Query,
): Promise<CountedGroups> {
  const { group_by, bucket_size: size = 'day', threshold, limit } = query;
  if (group_by === 'clusters') return countClusters(ctx, criteria, query);
  // The index has all other group keys itself.
  const by = group_by === 'time_bucket' ? size : group_by;
  const { total, groups } = await findResultGroups(ctx, criteria, threshold, { by, limit });
  return { total_count: total, groups: groups.map((group) => presentGroup(group, group.key)) };
}

/** Groups by cluster; keeps the order of the search, best first. */
async function countClusters(
  ctx: Ctx,
  criteria: SearchCriteria,
  { threshold, limit }: Query,
): Promise<CountedGroups> {
  const hits = await findAllHits(ctx, criteria, threshold);
  const findMemberships = memoryGroupingRegistry.of(ctx, 'clusters');
  const groups = new GroupCollector<string>();
  const labels = new Map<string, string>();
  for (let from = 0; findMemberships && from < hits.length; from += lookupBatchSize) {
    const batch = hits.slice(from, from + lookupBatchSize);
    const memberships = await findMemberships(
      ctx,
      batch.map(({ id }) => id),
    );
    for (const { id, score } of batch) {
      for (const { key, label } of memberships.get(id) ?? []) {
        groups.add(key, id, score);
        labels.set(key, label);
      }
    }
  }
  const largest = groups
    .largest(limit)
    .map((group) => presentGroup(group, labels.get(group.key) ?? ''));
  return { total_count: hits.length, groups: largest };
}

const presentGroup = ({ key, count, meanScore, top }: ResultGroup<string>, label: string) => ({
  key,
  label,
  count,
  avg_score: Math.min(1, meanScore),
  top: [...top],
});
