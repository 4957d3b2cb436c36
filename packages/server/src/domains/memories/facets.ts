import type { ContentType, MemoryFacets, routes, ValidatedRequest } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { toListFilter } from './read.ts';
import { countByFacet, countMatching } from './store/facets.ts';

type Query = ValidatedRequest<typeof routes.memories.facets>['query'];

const most = (limit: number) => ({ order: 'count', limit }) as const;
const greatest = (limit: number) => ({ order: 'desc', limit }) as const;

/**
 * How many memories the list would have with each value of a filter, the other filters as they are.
 * Throws 404 space_not_found, 403 space_access_denied or user_access_denied.
 */
export async function countFacets(ctx: Ctx, query: Query): Promise<MemoryFacets> {
  const { engine, actor } = ctx;
  if (query.space_id !== undefined) await requireUsableSpace(ctx, query.space_id);
  const account = [engine.db, actor.accountId] as const;
  const filter = toListFilter(ctx, query);
  const anySpace = { ...filter, spaceId: undefined };
  const anyType = { ...filter, contentType: undefined };
  const anyPriority = { ...filter, minPriority: undefined };
  const anyMonth = { ...filter, times: { ...filter.times, created_at: {} } };
  const [total, spaces, types, tags, priorities, months] = await Promise.all([
    countMatching(...account, filter),
    countByFacet(...account, anySpace, 'space', most(1_000)),
    countByFacet(...account, anyType, 'type', most(10)),
    countByFacet(...account, filter, 'tag', most(50)),
    countByFacet(...account, anyPriority, 'priority', greatest(11)),
    countByFacet(...account, anyMonth, 'month', greatest(120)),
  ]);
  return {
    total,
    spaces: spaces.map(({ value, count }) => ({ space_id: value, count })),
    content_types: types.map(({ value, count }) => ({ content_type: value as ContentType, count })),
    tags: tags.map(({ value, count }) => ({ tag: value, count })),
    priorities: priorities.map(({ value, count }) => ({ priority: value, count })),
    months: months.map(({ value, count }) => ({ month: value, count })),
  };
}
