import { isDeepStrictEqual } from 'node:util';
import type { TxCtx } from '../../ctx.ts';
import type { HookCtx, MemoryChange, MemoryRecord } from '../../memories/index.ts';
import { reindexFacts, removeDocuments } from '../../search-index/index.ts';
import { toSegmentFacts } from './segments.ts';
import { segmentIds, segmentsOf } from './store.ts';

const recordingTypes = ['audio', 'video'];

/** Where a recording moves, is tagged anew or deleted, what is found in it goes along. */
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
    const segments = await segmentsOf(ctx.tx, accountId, [...known.keys()]);
    const facts = segments.flatMap((segment) => {
      const memory = known.get(segment.memory_id);
      return memory ? [toSegmentFacts(memory, segment)] : [];
    });
    reindexFacts(ctx, facts);
  }
}

/** What of a memory stands with its segments. */
const inheritedFields = (memory: MemoryRecord): unknown => [
  memory.space_id,
  memory.tags,
  memory.priority,
  memory.is_pinned,
  memory.deleted_at !== null,
];

/** Before memories go: what was said in them is found no more. */
export async function deindexRecordings(ctx: TxCtx, memoryIds: readonly string[]): Promise<void> {
  removeDocuments(ctx, await segmentIds(ctx.tx, ctx.actor.accountId, memoryIds));
}
