import type { Answer, Checked, routes } from '@mneme/contract';
import type { Ctx } from '../ctx.ts';
import { indexShelf } from '../index/index.ts';
import { noteAccess, presentMemory } from '../memories/index.ts';
import { recordActivation } from '../sessions/index.ts';
import { spacesOf } from './find.ts';
import { recordsOf } from './records.ts';

type TopicAnswer = Answer<typeof routes.search.topic>;

/** Memories with exactly this tag, by priority, the newest of equals first. Counts no search. */
export async function findTopic(
  ctx: Ctx,
  { topic, limit, session }: Checked<typeof routes.search.topic>['query'],
): Promise<TopicAnswer> {
  const { ids: found, total } = await indexShelf.of(ctx).ask({
    kind: 'tagged',
    accountId: ctx.actor.accountId,
    query: { tag: topic, spaces: spacesOf(ctx, {}), limit },
  });
  const records = await recordsOf(
    ctx,
    found.map((id) => ({ id })),
  );
  const now = ctx.clock.now();
  const memories = found.flatMap((id): TopicAnswer['memories'] => {
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
  noteAccess(ctx, ids, { via: 'topic', topic });
  recordActivation(ctx, session, ids);
  return { memories, total };
}
