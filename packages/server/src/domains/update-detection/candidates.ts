import type { Ctx } from '../ctx.ts';
import { type MemoryRecord, memoriesById } from '../memories/index.ts';
import { indexCache, type NearestQuery } from '../search-index/index.ts';
import { candidatesMax, similarityMin } from './model.ts';

export interface NearMemory {
  readonly record: MemoryRecord;
  readonly similarity: number;
}

/** For the documents nearest to a memory, of the same owner and space. */
export const nearestQuery = (
  memory: MemoryRecord,
  source: NearestQuery['source'],
  limit: number,
): NearestQuery => ({
  source,
  spaces: [memory.space_id],
  owner: { user_id: memory.user_id, agent_id: memory.agent_id, run_id: memory.run_id },
  threshold: similarityMin,
  scale: 'encoder',
  limit,
});

/** The nearest memories of the same owner and space as a memory that the index has. */
export async function findNearMemories(ctx: Ctx, memory: MemoryRecord): Promise<NearMemory[]> {
  const { accountId } = ctx.actor;
  const query = nearestQuery(memory, { documentId: memory.id }, candidatesMax);
  const hits = (await indexCache.of(ctx).query({ kind: 'nearest', accountId, query })) ?? [];
  const records = await memoriesById(
    ctx,
    hits.map(({ id }) => id),
  );
  return hits.flatMap(({ id, similarity }) => {
    const record = records.get(id);
    return record ? [{ record, similarity }] : [];
  });
}
