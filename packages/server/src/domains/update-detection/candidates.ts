import type { Ctx } from '../ctx.ts';
import { type MemoryRecord, memoriesById } from '../memories/index.ts';
import { indexCache } from '../search-index/index.ts';
import { candidatesMax, similarityMin } from './model.ts';

export interface NearMemory {
  readonly record: MemoryRecord;
  readonly similarity: number;
}

/**
 * The nearest memories of the same owner and space.
 * @param vector of the memory and its model, if the index does not have it yet
 */
export async function findNearMemories(
  ctx: Ctx,
  memory: MemoryRecord,
  made?: { readonly vector: Float32Array; readonly model: string | undefined },
): Promise<NearMemory[]> {
  const nearest = await indexCache.of(ctx).query(
    {
      kind: 'nearest',
      accountId: ctx.actor.accountId,
      query: {
        source: made ? { vector: made.vector } : { documentId: memory.id },
        spaces: [memory.space_id],
        owner: {
          user_id: memory.user_id,
          agent_id: memory.agent_id,
          run_id: memory.run_id,
        },
        threshold: similarityMin,
        limit: candidatesMax,
      },
    },
    made?.model,
  );
  const hits = nearest ?? [];
  const records = await memoriesById(
    ctx,
    hits.map(({ id }) => id),
  );
  return hits.flatMap(({ id, similarity }) => {
    const record = records.get(id);
    return record ? [{ record, similarity }] : [];
  });
}
