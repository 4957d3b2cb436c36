import type { ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { presentCurrentMemory, recordAccess } from '../memories/index.ts';
import { indexCache } from '../search-index/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { loadVisibleMemories } from './records.ts';
import { searchableOwner, searchableSpaces } from './searchable-spaces.ts';

type TopicResponse = ResponseBody<typeof routes.search.topic>;

/**
 * Memories with exactly this tag, by priority, the newest first in case of ties. Charges no search.
 */
export async function findMemoriesByTopic(
  ctx: Ctx,
  { topic, limit, session, ...owner }: ValidatedRequest<typeof routes.search.topic>['query'],
): Promise<TopicResponse> {
  const { ids: matches, total } = await indexCache.of(ctx).query({
    kind: 'tagged',
    accountId: ctx.actor.accountId,
    query: {
      tag: topic,
      spaces: searchableSpaces(ctx, {}),
      owner: searchableOwner(ctx.actor, owner),
      limit,
    },
  });
  const records = await loadVisibleMemories(
    ctx,
    matches.map((id) => ({ id })),
  );
  const now = ctx.clock.now();
  const memories = matches.flatMap((id): TopicResponse['memories'] => {
    const record = records.get(id);
    if (!record) return [];
    const { content, content_type, tags, metadata, priority, created_at } = presentCurrentMemory(
      record,
      now,
    );
    const visible = { id, content, content_type, tags, metadata, priority, created_at };
    return [{ ...visible, topic_relevance: 1 }];
  });
  const ids = memories.map(({ id }) => id);
  recordAccess(ctx, ids, { via: 'topic', topic });
  recordActivation(ctx, session, ids);
  return { memories, total };
}
