import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { chargeSearches } from '../accounts/index.ts';
import type { Ctx } from '../ctx.ts';
import { recordAccess } from '../memories/index.ts';
import { type Group, GroupCollector } from '../search-index/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { findAllHits, findGroups, type SearchCriteria, singleSpaceContext } from './find.ts';
import { memoryGroupings } from './hooks.ts';

type Query = ValidatedRequest<typeof routes.search.aggregate>['query'];
type AggregateResponse = ResponseBody<typeof routes.search.aggregate>;
type CountedGroups = Pick<AggregateResponse, 'total_count' | 'groups'>;

/** So many memories are looked up at a time where another domain knows the groups. */
const lookupBatchSize = 5_000;

/**
 * Counts all that a search finds, group by group. Throws 404 space_not_found, 403
 * space_access_denied, 500 embedding_failed.
 */
export async function aggregate(ctx: Ctx, query: Query): Promise<AggregateResponse> {
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  await chargeSearches(ctx, 1);
  const sought = { q: query.query, space_id: query.space_id, include_superseded: true };
  const counted = await countGroups(ctx, sought, query);
  const ids = new Set(counted.groups.flatMap(({ top }) => top.map(({ id }) => id)));
  recordAccess(
    ctx,
    [...ids],
    { via: 'aggregate' },
    singleSpaceContext(ctx, query, { query: query.query }),
  );
  recordActivation(ctx, query.session, [...ids]);
  return { query: query.query, group_by: query.group_by, ...counted };
}

async function countGroups(ctx: Ctx, sought: SearchCriteria, query: Query): Promise<CountedGroups> {
  const { group_by, bucket_size: size = 'day', threshold, limit } = query;
  if (group_by === 'clusters') return countClusters(ctx, sought, query);
  // The rest the index knows itself of each memory.
  const by = group_by === 'time_bucket' ? size : group_by;
  const { total, groups } = await findGroups(ctx, sought, threshold, { by, limit });
  return { total_count: total, groups: groups.map((group) => presentGroup(group, group.key)) };
}

/** By the clusters that the memories are in; the search's order is kept, best first. */
async function countClusters(
  ctx: Ctx,
  sought: SearchCriteria,
  { threshold, limit }: Query,
): Promise<CountedGroups> {
  const found = await findAllHits(ctx, sought, threshold);
  const findMemberships = memoryGroupings.of(ctx, 'clusters');
  const groups = new GroupCollector<string>();
  const labels = new Map<string, string>();
  for (let from = 0; findMemberships && from < found.length; from += lookupBatchSize) {
    const some = found.slice(from, from + lookupBatchSize);
    const memberships = await findMemberships(
      ctx,
      some.map(({ id }) => id),
    );
    for (const { id, score } of some) {
      for (const { key, label } of memberships.get(id) ?? []) {
        groups.add(key, id, score);
        labels.set(key, label);
      }
    }
  }
  const first = groups
    .largest(limit)
    .map((group) => presentGroup(group, labels.get(group.key) ?? ''));
  return { total_count: found.length, groups: first };
}

const presentGroup = ({ key, count, meanScore, top }: Group<string>, label: string) => ({
  key,
  label,
  count,
  avg_score: Math.min(1, meanScore),
  top: [...top],
});
