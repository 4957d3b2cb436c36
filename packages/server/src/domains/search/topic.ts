import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { presentMemory, recordAccess } from '../memories/index.ts';
import { indexCache } from '../search-index/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { searchableSpaces } from './find.ts';
import { loadVisibleRecords } from './records.ts';

type TopicResponse = ResponseBody<typeof routes.search.topic>;

/** Memories with exactly this tag, by priority, the newest of equals first. Counts no search. */
export async function findTopic(
  ctx: Ctx,
  { topic, limit, session }: ValidatedRequest<typeof routes.search.topic>['query'],
): Promise<TopicResponse> {
  const { ids: found, total } = await indexCache.of(ctx).query({
    kind: 'tagged',
    accountId: ctx.actor.accountId,
    query: { tag: topic, spaces: searchableSpaces(ctx, {}), limit },
  });
  const records = await loadVisibleRecords(
    ctx,
    found.map((id) => ({ id })),
  );
  const now = ctx.clock.now();
  const memories = found.flatMap((id): TopicResponse['memories'] => {
    const record = records.get(id);
    if (!record) return [];
    const { content, content_type, tags, metadata, priority, created_at } = presentMemory(
      record,
      now,
    );
    const shown = { id, content, content_type, tags, metadata, priority, created_at };
    return [{ ...shown, topic_relevance: 1 }];
  });
  const ids = memories.map(({ id }) => id);
  recordAccess(ctx, ids, { via: 'topic', topic });
  recordActivation(ctx, session, ids);
  return { memories, total };
}
