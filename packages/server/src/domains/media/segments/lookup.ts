import type { Ctx } from '../../ctx.ts';
import { filterByPhrases } from '../../memories/index.ts';
import { segmentText } from './segments.ts';
import { type SegmentRecord, segmentIds, segmentsById } from './store/segments.ts';

export type { SegmentRecord } from './store/segments.ts';

/** Does not check access to the recordings: the caller must. */
export async function findSegmentsById(
  { engine, actor }: Ctx,
  ids: readonly string[],
): Promise<Map<string, SegmentRecord>> {
  if (ids.length === 0) return new Map();
  const segments = await segmentsById(engine.db, actor.accountId, ids);
  return new Map(segments.map((segment) => [segment.id, segment]));
}

export const listSegmentIdsOfMemories = async (
  { engine, actor }: Ctx,
  memoryIds: readonly string[],
): Promise<string[]> =>
  memoryIds.length === 0 ? [] : segmentIds(engine.db, actor.accountId, memoryIds);

/** Returns the ids of the segments that contain every phrase. */
export const segmentsContaining = (
  ctx: Ctx,
  ids: readonly string[],
  phrases: readonly string[],
): Promise<Set<string>> =>
  filterByPhrases(ids, phrases, async (page) =>
    Array.from((await findSegmentsById(ctx, page)).values(), (one) => [one.id, segmentText(one)]),
  );
