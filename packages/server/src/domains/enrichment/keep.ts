import type { EnrichmentOperation } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpace, type TxCtx, withTransaction } from '../ctx.ts';
import {
  findMemory,
  hashContent,
  lockRecords,
  type MemoryRecord,
  saveQuality,
} from '../memories/index.ts';
import { make } from './make.ts';
import { isSame, type Kept, type Made, scoreOf } from './model.ts';
import { findKept, putKept } from './store.ts';

/** Also a soft-deleted one. Throws 404 memory_not_found, 403 space_access_denied. */
export async function requireMemory(ctx: Ctx, id: string): Promise<MemoryRecord> {
  const record = await findMemory(ctx.engine.db, ctx.actor.accountId, id);
  if (!record) throw new AppError('memory_not_found');
  requireSpace(ctx.actor, record.space_id);
  return record;
}

/** What was made of the content that the memory has. */
export async function keptOf(
  ctx: Ctx,
  record: MemoryRecord,
  operations: readonly EnrichmentOperation[],
): Promise<Kept[]> {
  const hash = hashContent(record.content);
  const kept = await findKept(ctx.engine.db, record.account_id, [record.id], operations);
  return kept.filter(({ contentHash }) => isSame(contentHash, hash));
}

export const asKept = (record: MemoryRecord, made: Made, processedAt: Date): Kept => ({
  ...made,
  memoryId: record.id,
  contentHash: hashContent(record.content),
  processedAt,
});

/** A memory as it was and as it is. */
interface Scored {
  readonly before: MemoryRecord;
  readonly after: MemoryRecord;
}

/**
 * Keeps what was made, and the scores with their memories; not of memories that are gone or have
 * another content by now. Returns those that are there.
 */
export async function keep(inTx: TxCtx, made: readonly Kept[]): Promise<Map<string, Scored>> {
  return keepFor(
    inTx,
    made.map(({ memoryId }) => memoryId),
    made,
  );
}

/** The same, of memories that are looked at even where nothing new was made of them. */
export async function keepFor(
  { tx, actor }: TxCtx,
  memoryIds: readonly string[],
  made: readonly Kept[],
): Promise<Map<string, Scored>> {
  const records = await lockRecords(tx, actor.accountId, [...new Set(memoryIds)]);
  const byId = new Map(records.map((record) => [record.id, record]));
  const current = made.filter(({ memoryId, contentHash }) => {
    const record = byId.get(memoryId);
    return record !== undefined && isSame(hashContent(record.content), contentHash);
  });
  const scores = new Map(
    current.flatMap((one) =>
      one.operation === 'quality' ? [[one.memoryId, scoreOf((one as Kept<'quality'>).value)]] : [],
    ) as [string, number][],
  );
  await putKept(tx, actor.accountId, current);
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
export async function keptOrMade<K extends EnrichmentOperation>(
  ctx: Ctx,
  record: MemoryRecord,
  operation: K,
  isAnew: boolean,
): Promise<Kept<K>> {
  const [known] = isAnew ? [] : await keptOf(ctx, record, [operation]);
  if (known) return known as Kept<K>;
  const made = asKept(record, await make(ctx, record, operation), ctx.clock.now());
  const there = await withTransaction(ctx, (inTx) => keep(inTx, [made]));
  if (!there.has(record.id)) throw new AppError('memory_not_found');
  return made as Kept<K>;
}
