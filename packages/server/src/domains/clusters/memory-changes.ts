import type { TxCtx } from '../ctx.ts';
import { findLinkTargets, type HookCtx, type MemoryChange } from '../memories/index.ts';
import { readVectors } from '../search-index/index.ts';
import { applyDeltas, ClusterDeltas, enqueueCentroidUpdate } from './centroid-update.ts';
import { publishMemoryRemoved } from './events.ts';
import { lockClustering } from './store/clusters.ts';
import { type Membership, membershipsOf, removeMembers, setSummed } from './store/members.ts';

/** What becomes of a memory's place in clusters. */
interface MembershipChange {
  readonly id: string;
  readonly wasActive: boolean;
  readonly isActive: boolean;
  /** It is gone for good. */
  readonly isErased: boolean;
  readonly spaceId: string | null;
  /** Its vector is about to be another one. */
  readonly hasNewContent: boolean;
}

/** Hook of the memories: clusters count active ones, and only those of their space. */
export async function updateClustersOfMemories(
  ctx: HookCtx,
  changes: readonly MemoryChange[],
): Promise<void> {
  const byAccount = Map.groupBy(changes, ({ before }) => before?.account_id ?? null);
  for (const [accountId, own] of byAccount) {
    if (accountId === null) continue;
    await applyChanges(ctx, accountId, own.map(toMembershipChange).filter(isRelevant));
  }
}

const toMembershipChange = ({
  before,
  after,
}: MemoryChange): MembershipChange & { readonly moved: boolean } => ({
  id: before?.id ?? '',
  wasActive: before?.deleted_at === null,
  isActive: after?.deleted_at === null,
  isErased: after === null,
  spaceId: after?.space_id ?? null,
  hasNewContent: after !== null && before?.content !== after.content,
  moved: after !== null && before?.space_id !== after.space_id,
});

const isRelevant = (fate: MembershipChange & { readonly moved: boolean }): boolean =>
  fate.isErased || fate.hasNewContent || fate.moved || fate.wasActive !== fate.isActive;

/** Hook of the memories: they go for good, with their session or alone. */
export async function removeMemoriesFromClusters(
  inTx: TxCtx,
  memoryIds: readonly string[],
): Promise<void> {
  const { accountId } = inTx.actor;
  const memberships = await membershipsOf(inTx.tx, accountId, memoryIds);
  if (memberships.length === 0) return;
  const ids = [...new Set(memberships.map(({ memory_id }) => memory_id))];
  const ends = await findLinkTargets(inTx.tx, accountId, ids);
  const fates = ends.map(({ id, space_id: spaceId, deleted_at }) => ({
    ...{ id, spaceId, wasActive: deleted_at === null },
    ...{ isActive: false, isErased: true, hasNewContent: false },
  }));
  await applyChanges(inTx, accountId, fates);
}

async function applyChanges(
  ctx: HookCtx,
  accountId: string,
  fates: readonly MembershipChange[],
): Promise<void> {
  if (fates.length === 0) return;
  const { tx } = ctx;
  const byId = new Map(fates.map((fate) => [fate.id, fate]));
  const ids = [...byId.keys()];
  // Most memories are in none, and wait for nobody.
  if ((await membershipsOf(tx, accountId, ids)).length === 0) return;
  await lockClustering(tx, accountId);
  const stored = await readVectors(tx, accountId, ids);
  const deltas = new ClusterDeltas();
  const [left, unsummed, summed, rewritten] = [
    [] as Membership[],
    [] as Membership[],
    [] as Membership[],
    new Set<string>(),
  ];
  for (const one of await membershipsOf(tx, accountId, ids)) {
    const fate = byId.get(one.memory_id);
    if (!fate) continue;
    const stays = !fate.isErased && (one.space_id === null || one.space_id === fate.spaceId);
    const counts = stays && fate.isActive;
    const delta = deltas.of(one.cluster_id);
    delta.count += Number(counts) - Number(fate.wasActive);
    const keeps = counts && !fate.hasNewContent;
    const isThere = stored.vectors.has(one.memory_id);
    if (one.is_summed && !keeps) delta.vectors.push({ memoryId: fate.id, sign: -1 });
    if (!one.is_summed && keeps && isThere) {
      delta.vectors.push({ memoryId: fate.id, sign: 1 });
      summed.push(one);
    }
    if (!stays) left.push(one);
    else if (one.is_summed && !keeps) unsummed.push(one);
    if (stays && fate.hasNewContent) rewritten.add(fate.id);
    if (!stays && !fate.isErased && one.run_id === null) publishLeft(ctx, accountId, one, fate);
  }
  await removeMembers(tx, accountId, left);
  await setSummed(tx, accountId, unsummed, false);
  await setSummed(tx, accountId, summed, true);
  await applyDeltas(ctx, accountId, deltas, stored);
  if (rewritten.size > 0) await enqueueCentroidUpdate(ctx, accountId, [...rewritten]);
}

/** It moved to another space; what is gone is told by memory.deleted. */
function publishLeft(
  ctx: HookCtx,
  accountId: string,
  one: Membership,
  fate: MembershipChange,
): void {
  const { cluster_id: id, space_id, type } = one;
  // In the space that it left: who sees that alone learns nothing of the other.
  const memory = { id: fate.id, space_id };
  publishMemoryRemoved(ctx, { account_id: accountId, id, space_id, type }, memory);
}
