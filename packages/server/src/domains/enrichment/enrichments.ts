import type { EnrichmentOperation } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireMemoryAccess, type TxCtx, withTransaction } from '../ctx.ts';
import {
  findMemory,
  hashContent,
  lockMemoriesForNoKeyUpdate,
  type MemoryRecord,
  saveQuality,
} from '../memories/index.ts';
import { computeEnrichment } from './compute.ts';
import {
  type ComputedEnrichment,
  isSameHash,
  qualityScore,
  type StoredEnrichment,
} from './model.ts';
import { findEnrichments, upsertEnrichments } from './store/enrichments.ts';

/** Accepts a soft-deleted memory, too. Throws 404 memory_not_found, 403 space_access_denied. */
export async function requireMemory(ctx: Ctx, id: string): Promise<MemoryRecord> {
  const record = await findMemory(ctx, id);
  if (!record) throw new AppError('memory_not_found');
  requireMemoryAccess(ctx.actor, record);
  return record;
}

/** The stored enrichments of the memory's current content. */
export async function currentEnrichments(
  ctx: Ctx,
  record: MemoryRecord,
  operations: readonly EnrichmentOperation[],
): Promise<StoredEnrichment[]> {
  const hash = hashContent(record.content);
  const stored = await findEnrichments(ctx.engine.db, record.account_id, [record.id], operations);
  return stored.filter(({ contentHash }) => isSameHash(contentHash, hash));
}

export const toStoredEnrichment = (
  record: MemoryRecord,
  result: ComputedEnrichment,
  processedAt: Date,
): StoredEnrichment => ({
  ...result,
  memoryId: record.id,
  contentHash: hashContent(record.content),
  processedAt,
});

/** A memory before and after its score changed. */
interface ScoredMemory {
  readonly before: MemoryRecord;
  readonly after: MemoryRecord;
}

/**
 * Stores the results and writes scores to their memories; skips memories that were deleted or have
 * other content by now. Returns the memories that exist.
 */
export async function storeEnrichments(
  inTx: TxCtx,
  results: readonly StoredEnrichment[],
): Promise<Map<string, ScoredMemory>> {
  return storeEnrichmentsFor(
    inTx,
    results.map(({ memoryId }) => memoryId),
    results,
  );
}

/** The same for a list of memories, some of which may have no new results. */
export async function storeEnrichmentsFor(
  { tx, actor }: TxCtx,
  memoryIds: readonly string[],
  results: readonly StoredEnrichment[],
): Promise<Map<string, ScoredMemory>> {
  const records = await lockMemoriesForNoKeyUpdate(tx, actor.accountId, [...new Set(memoryIds)]);
  const byId = new Map(records.map((record) => [record.id, record]));
  const current = results.filter(({ memoryId, contentHash }) => {
    const record = byId.get(memoryId);
    return record !== undefined && isSameHash(hashContent(record.content), contentHash);
  });
  const scores = new Map(
    current.flatMap((one) =>
      one.operation === 'quality'
        ? [[one.memoryId, qualityScore((one as StoredEnrichment<'quality'>).value)]]
        : [],
    ) as [string, number][],
  );
  await upsertEnrichments(tx, actor.accountId, current);
  await saveQuality(
    tx,
    actor.accountId,
    [...scores].map(([id, score]) => ({ id, score })),
  );
  return new Map(
    records.map((before) => {
      const score = scores.get(before.id) ?? before.quality_score;
      return [before.id, { before, after: { ...before, quality_score: score } }];
    }),
  );
}

/**
 * The stored result of an operation for the memory's content; computes and stores it if there is
 * none. Throws 404 memory_not_found if the memory is deleted in the meantime.
 */
export async function getOrComputeEnrichment<K extends EnrichmentOperation>(
  ctx: Ctx,
  record: MemoryRecord,
  operation: K,
  isAnew: boolean,
): Promise<StoredEnrichment<K>> {
  const [stored] = isAnew ? [] : await currentEnrichments(ctx, record, [operation]);
  if (stored) return stored as StoredEnrichment<K>;
  const result = toStoredEnrichment(
    record,
    await computeEnrichment(ctx, record, operation),
    ctx.clock.now(),
  );
  const existing = await withTransaction(ctx, (inTx) => storeEnrichments(inTx, [result]));
  if (!existing.has(record.id)) throw new AppError('memory_not_found');
  return result as StoredEnrichment<K>;
}
