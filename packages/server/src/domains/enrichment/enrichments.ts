import type { EnrichmentOperation } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpaceAccess, type TxCtx, withTransaction } from '../ctx.ts';
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
import { findEnrichments, upsertEnrichments } from './store.ts';

/** Also a soft-deleted one. Throws 404 memory_not_found, 403 space_access_denied. */
export async function requireMemory(ctx: Ctx, id: string): Promise<MemoryRecord> {
  const record = await findMemory(ctx.engine.db, ctx.actor.accountId, id);
  if (!record) throw new AppError('memory_not_found');
  requireSpaceAccess(ctx.actor, record.space_id);
  return record;
}

/** What was made of the content that the memory has. */
export async function currentEnrichments(
  ctx: Ctx,
  record: MemoryRecord,
  operations: readonly EnrichmentOperation[],
): Promise<StoredEnrichment[]> {
  const hash = hashContent(record.content);
  const kept = await findEnrichments(ctx.engine.db, record.account_id, [record.id], operations);
  return kept.filter(({ contentHash }) => isSameHash(contentHash, hash));
}

export const toStoredEnrichment = (
  record: MemoryRecord,
  made: ComputedEnrichment,
  processedAt: Date,
): StoredEnrichment => ({
  ...made,
  memoryId: record.id,
  contentHash: hashContent(record.content),
  processedAt,
});

/** A memory as it was and as it is. */
interface ScoredMemory {
  readonly before: MemoryRecord;
  readonly after: MemoryRecord;
}

/**
 * Keeps what was made, and the scores with their memories; not of memories that are gone or have
 * another content by now. Returns those that are there.
 */
export async function storeEnrichments(
  inTx: TxCtx,
  made: readonly StoredEnrichment[],
): Promise<Map<string, ScoredMemory>> {
  return storeEnrichmentsFor(
    inTx,
    made.map(({ memoryId }) => memoryId),
    made,
  );
}

/** The same, of memories that are looked at even where nothing new was made of them. */
export async function storeEnrichmentsFor(
  { tx, actor }: TxCtx,
  memoryIds: readonly string[],
  made: readonly StoredEnrichment[],
): Promise<Map<string, ScoredMemory>> {
  const records = await lockMemoriesForNoKeyUpdate(tx, actor.accountId, [...new Set(memoryIds)]);
  const byId = new Map(records.map((record) => [record.id, record]));
  const current = made.filter(({ memoryId, contentHash }) => {
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
 * What an operation made of the memory's content: as it is kept, or made now and kept.
 * Throws 404 memory_not_found where the memory went meanwhile.
 */
export async function getOrComputeEnrichment<K extends EnrichmentOperation>(
  ctx: Ctx,
  record: MemoryRecord,
  operation: K,
  isAnew: boolean,
): Promise<StoredEnrichment<K>> {
  const [known] = isAnew ? [] : await currentEnrichments(ctx, record, [operation]);
  if (known) return known as StoredEnrichment<K>;
  const made = toStoredEnrichment(
    record,
    await computeEnrichment(ctx, record, operation),
    ctx.clock.now(),
  );
  const there = await withTransaction(ctx, (inTx) => storeEnrichments(inTx, [made]));
  if (!there.has(record.id)) throw new AppError('memory_not_found');
  return made as StoredEnrichment<K>;
}
