import type { Memory } from '@mneme/contract';
import type { Ctx, TxCtx } from '../ctx.ts';
import { findOutdatedBy } from '../search-index/index.ts';
import { type MemoryRecord, presentMemoryData } from './model.ts';

/** Memories with what they are outdated by, read by a transaction if there is one. */
export async function presentMemories(
  ctx: Ctx | TxCtx,
  records: readonly MemoryRecord[],
): Promise<Memory[]> {
  const outdatedBy = await findOutdatedBy(
    'tx' in ctx ? ctx.tx : ctx.engine.db,
    ctx.actor,
    records.map(({ id }) => id),
  );
  const now = ctx.clock.now();
  return records.map((record) => ({
    ...presentMemoryData(record, now),
    outdated_by: outdatedBy.get(record.id) ?? null,
  }));
}

export async function presentMemory(ctx: Ctx | TxCtx, record: MemoryRecord): Promise<Memory> {
  const [memory] = await presentMemories(ctx, [record]);
  return memory as Memory;
}
