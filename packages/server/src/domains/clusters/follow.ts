import type { TxCtx } from '../ctx.ts';
import { readVectors } from '../index/index.ts';
import { findEnds, type HookCtx, type MemoryChange } from '../memories/index.ts';
import { lockClustering } from './store/clusters.ts';
import { type Membership, markSummed, membershipsOf, removeMembers } from './store/members.ts';
import { applyDeltas, Deltas, sumLater } from './sum-up.ts';
import { tellRemoved } from './tell.ts';

/** What becomes of a memory's place in clusters. */
interface Fate {
  readonly id: string;
  readonly wasActive: boolean;
  readonly isActive: boolean;
  /** It is gone for good. */
  readonly isGone: boolean;
  readonly spaceId: string | null;
  /** Its vector is about to be another one. */
  readonly isRewritten: boolean;
}

/** Hook of the memories: clusters count active ones, and only those of their space. */
export async function followMemories(
  ctx: HookCtx,
  changes: readonly MemoryChange[],
): Promise<void> {
  const byAccount = Map.groupBy(changes, ({ before }) => before?.account_id ?? null);
  for (const [accountId, own] of byAccount) {
    if (accountId === null) continue;
    await meet(ctx, accountId, own.map(fateOf).filter(matters));
  }
}

const fateOf = ({ before, after }: MemoryChange): Fate & { readonly moved: boolean } => ({
  id: before?.id ?? '',
  wasActive: before?.deleted_at === null,
  isActive: after?.deleted_at === null,
  isGone: after === null,
  spaceId: after?.space_id ?? null,
  isRewritten: after !== null && before?.content !== after.content,
  moved: after !== null && before?.space_id !== after.space_id,
});

const matters = (fate: Fate & { readonly moved: boolean }): boolean =>
  fate.isGone || fate.isRewritten || fate.moved || fate.wasActive !== fate.isActive;

/** Hook of the memories: they go for good, with their session or alone. */
export async function leaveClusters(inTx: TxCtx, memoryIds: readonly string[]): Promise<void> {
  const { accountId } = inTx.actor;
  const memberships = await membershipsOf(inTx.tx, accountId, memoryIds);
  if (memberships.length === 0) return;
  const ids = [...new Set(memberships.map(({ memory_id }) => memory_id))];
  const ends = await findEnds(inTx.tx, accountId, ids);
  const fates = ends.map(({ id, space_id: spaceId, deleted_at }) => ({
    ...{ id, spaceId, wasActive: deleted_at === null },
    ...{ isActive: false, isGone: true, isRewritten: false },
  }));
  await meet(inTx, accountId, fates);
}

async function meet(ctx: HookCtx, accountId: string, fates: readonly Fate[]): Promise<void> {
  if (fates.length === 0) return;
  const { tx } = ctx;
  const byId = new Map(fates.map((fate) => [fate.id, fate]));
  const ids = [...byId.keys()];
  // Most memories are in none, and wait for nobody.
  if ((await membershipsOf(tx, accountId, ids)).length === 0) return;
  await lockClustering(tx, accountId);
  const stored = await readVectors(tx, accountId, ids);
  const deltas = new Deltas();
  const [left, unsummed, summed, rewritten] = [
    [] as Membership[],
    [] as Membership[],
    [] as Membership[],
    new Set<string>(),
  ];
  for (const one of await membershipsOf(tx, accountId, ids)) {
    const fate = byId.get(one.memory_id);
    if (!fate) continue;
    const stays = !fate.isGone && (one.space_id === null || one.space_id === fate.spaceId);
    const counts = stays && fate.isActive;
    const delta = deltas.of(one.cluster_id);
    delta.count += Number(counts) - Number(fate.wasActive);
    const keeps = counts && !fate.isRewritten;
    const isThere = stored.vectors.has(one.memory_id);
    if (one.is_summed && !keeps) delta.vectors.push({ memoryId: fate.id, sign: -1 });
    if (!one.is_summed && keeps && isThere) {
      delta.vectors.push({ memoryId: fate.id, sign: 1 });
      summed.push(one);
    }
    if (!stays) left.push(one);
    else if (one.is_summed && !keeps) unsummed.push(one);
    if (stays && fate.isRewritten) rewritten.add(fate.id);
    if (!stays && !fate.isGone && one.run_id === null) tellLeft(ctx, accountId, one, fate);
  }
  await removeMembers(tx, accountId, left);
  await markSummed(tx, accountId, unsummed, false);
  await markSummed(tx, accountId, summed, true);
  await applyDeltas(ctx, accountId, deltas, stored);
  if (rewritten.size > 0) await sumLater(ctx, accountId, [...rewritten]);
}

/** It moved to another space; what is gone is told by memory.deleted. */
function tellLeft(ctx: HookCtx, accountId: string, one: Membership, fate: Fate): void {
  const { cluster_id: id, space_id, type } = one;
  // In the space that it left: who sees that alone learns nothing of the other.
  const memory = { id: fate.id, space_id };
  tellRemoved(ctx, { account_id: accountId, id, space_id, type }, memory);
}
