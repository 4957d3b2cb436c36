import type { Memory } from '@mneme/contract';
import { type Ctx, spaceKey, type TxCtx, visibilityOf } from '../ctx.ts';
import { findOutdatedBy } from '../search-index/index.ts';
import { type MemoryRecord, presentCurrentMemory } from './model.ts';

/** Memories with what they are outdated by, read by a transaction if there is one. */
export async function presentMemories(
  ctx: Ctx | TxCtx,
  records: readonly MemoryRecord[],
): Promise<Memory[]> {
  const { actor, clock } = ctx;
  const isInTransaction = 'tx' in ctx;
  // A transaction may have changed what was read before.
  const candidates = isInTransaction
    ? records
    : records.filter(({ may_be_outdated }) => may_be_outdated !== false);
  const outdatedBy =
    candidates.length === 0
      ? new Map<string, string>()
      : await findOutdatedBy(isInTransaction ? ctx.tx : ctx.engine.db, {
          accountId: actor.accountId,
          ids: candidates.map(({ id }) => id),
          visible: visibilityOf(actor),
          now: clock.now(),
        });
  return records.map((record) => presentOutdated(record, clock.now(), outdatedBy));
}

export async function presentMemory(ctx: Ctx | TxCtx, record: MemoryRecord): Promise<Memory> {
  const [memory] = await presentMemories(ctx, [record]);
  return memory as Memory;
}

/**
 * Memories for the data of events, in the order of the records. Every key that may see the space
 * of a memory reads its events, and so do tokens of its user: only memories of the same space, and
 * of the user if it has one, outdate it there.
 */
export async function presentEventMemories(
  { tx, actor, clock }: TxCtx,
  records: readonly MemoryRecord[],
): Promise<Memory[]> {
  const outdatedBy = new Map<string, string>();
  const placeOf = ({ space_id, user_id }: MemoryRecord) => JSON.stringify([space_id, user_id]);
  for (const group of Map.groupBy(records, placeOf).values()) {
    const [{ space_id, user_id }] = group as [MemoryRecord];
    const found = await findOutdatedBy(tx, {
      accountId: actor.accountId,
      ids: group.map(({ id }) => id),
      visible: { spaces: [spaceKey(space_id)], user: user_id },
      now: clock.now(),
    });
    for (const [id, newest] of found) outdatedBy.set(id, newest);
  }
  return records.map((record) => presentOutdated(record, clock.now(), outdatedBy));
}

export async function presentEventMemory(ctx: TxCtx, record: MemoryRecord): Promise<Memory> {
  const [memory] = await presentEventMemories(ctx, [record]);
  return memory as Memory;
}

const presentOutdated = (
  record: MemoryRecord,
  now: Date,
  outdatedBy: ReadonlyMap<string, string>,
): Memory => ({
  ...presentCurrentMemory(record, now),
  outdated_by: outdatedBy.get(record.id) ?? null,
});
