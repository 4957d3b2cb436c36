import { isDeepStrictEqual } from 'node:util';
import type { TxCtx } from '../../ctx.ts';
import type { HookCtx, MemoryChange, MemoryRecord } from '../../memories/index.ts';
import { reindexAttributes, removeDocuments } from '../../search-index/index.ts';
import { toSegmentAttributes } from './segments.ts';
import { segmentIds, segmentsOfMemories } from './store/segments.ts';

const recordingTypes = ['audio', 'video'];

/** Updates the documents of segments when a recording is moved, retagged, pinned or deleted. */
export async function updateSegmentsOfRecordings(
  ctx: HookCtx,
  changes: readonly MemoryChange[],
): Promise<void> {
  const moved = changes.flatMap(({ before, after }): MemoryRecord[] => {
    if (!before || !after || !recordingTypes.includes(after.content_type)) return [];
    return isDeepStrictEqual(inheritedFields(before), inheritedFields(after)) ? [] : [after];
  });
  for (const [accountId, memories] of Map.groupBy(moved, (one) => one.account_id)) {
    const known = new Map(memories.map((memory) => [memory.id, memory]));
    const segments = await segmentsOfMemories(ctx.tx, accountId, [...known.keys()]);
    const attributes = segments.flatMap((segment) => {
      const memory = known.get(segment.memory_id);
      return memory ? [toSegmentAttributes(memory, segment)] : [];
    });
    reindexAttributes(ctx, attributes);
  }
}

/** The fields of a memory that the documents of its segments contain. */
const inheritedFields = (memory: MemoryRecord): unknown => [
  memory.space_id,
  memory.tags,
  memory.priority,
  memory.is_pinned,
  memory.deleted_at !== null,
];

/** Removes the segments of deleted or erased memories from the index. */
export async function deindexRecordings(ctx: TxCtx, memoryIds: readonly string[]): Promise<void> {
  removeDocuments(ctx, await segmentIds(ctx.tx, ctx.actor.accountId, memoryIds));
}
