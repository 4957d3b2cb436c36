import { batchBySize } from '../../kernel/batches.ts';
import type { Ctx } from '../ctx.ts';
import { contentSizesOf, type MemoryRecord, memoriesById } from '../memories/index.ts';
import { findDerivationsAmong, supersededBy } from '../relationships/index.ts';
import { indexCache, type NearDocument, type NearestQuery } from '../search-index/index.ts';
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

/** Requests to the index at the same time: it serves them one after the other, without waiting. */
const concurrency = 8;
/** Contents of near memories that are read together. */
const groupBytesMax = 1_048_576;
/** Memories that are compared with what was read together, so that it is not old by then. */
const groupMemories = 8;

/** Memories with what they are compared with. */
export interface ComparisonGroup {
  readonly records: readonly MemoryRecord[];
  /** By memory: the nearest that neither are outdated nor derived from it, or it from them. */
  readonly near: ReadonlyMap<string, readonly NearMemory[]>;
}

/**
 * The nearest memories of the same owner and space as each of these, in groups that fit in memory;
 * without memories that are outdated. Throws errors of the index and the database.
 */
export async function* readComparisonGroups(
  ctx: Ctx,
  records: readonly MemoryRecord[],
  throttle?: (tookMs: number) => Promise<void>,
): AsyncGenerator<ComparisonGroup> {
  const hits = await findNearDocuments(ctx, records, throttle);
  const hitsOf = ({ id }: MemoryRecord): readonly NearDocument[] => hits.get(id) ?? [];
  const ids = records.flatMap((record) => hitsOf(record).map(({ id }) => id));
  const sizes = await contentSizesOf(ctx, [...new Set(ids)]);
  const sizeOf = (record: MemoryRecord): number => {
    const bytes = hitsOf(record).reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0);
    return Math.max(bytes, groupBytesMax / groupMemories);
  };
  for (const group of batchBySize(records, sizeOf, groupBytesMax)) {
    yield readComparisonGroup(ctx, group, hitsOf);
  }
}

/** By memory the documents of the index that are near to it. */
async function findNearDocuments(
  ctx: Ctx,
  records: readonly MemoryRecord[],
  throttle?: (tookMs: number) => Promise<void>,
): Promise<Map<string, readonly NearDocument[]>> {
  const { accountId } = ctx.actor;
  const found = new Map<string, readonly NearDocument[]>();
  for (let from = 0; from < records.length; from += concurrency) {
    const startedAtMs = ctx.clock.monotonicMs();
    const step = records.slice(from, from + concurrency).map(async (record) => {
      const query = nearestQuery(record, { documentId: record.id }, candidatesMax);
      const hits = await indexCache.of(ctx).query({ kind: 'nearest', accountId, query });
      found.set(record.id, hits ?? []);
    });
    await Promise.all(step);
    await throttle?.(ctx.clock.monotonicMs() - startedAtMs);
  }
  return found;
}

async function readComparisonGroup(
  ctx: Ctx,
  records: readonly MemoryRecord[],
  hitsOf: (record: MemoryRecord) => readonly NearDocument[],
): Promise<ComparisonGroup> {
  const nearIds = [...new Set(records.flatMap((record) => hitsOf(record).map(({ id }) => id)))];
  const ids = [...new Set([...nearIds, ...records.map(({ id }) => id)])];
  const read = await memoriesById(ctx, nearIds);
  const outdated = await supersededBy(ctx, ids);
  // A memory repeats what it is derived from: neither outdates the other.
  const related = new Set(
    (await findDerivationsAmong(ctx, ids)).flatMap(({ memoryId, sourceId }) => [
      `${memoryId} ${sourceId}`,
      `${sourceId} ${memoryId}`,
    ]),
  );
  const current = records.filter(({ id }) => !outdated.has(id));
  const nearOf = (compared: MemoryRecord): NearMemory[] =>
    hitsOf(compared).flatMap(({ id, similarity }) => {
      const record = read.get(id);
      if (!record || outdated.has(id) || related.has(`${compared.id} ${id}`)) return [];
      return [{ record, similarity }];
    });
  return { records, near: new Map(current.map((record) => [record.id, nearOf(record)])) };
}
