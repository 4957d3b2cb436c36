import type { TxCtx } from '../ctx.ts';
import { findLinkTargets, type HookCtx, type MemoryChange } from '../memories/index.ts';
import { readVectors } from '../search-index/index.ts';
import { applyClusterDeltas, ClusterDeltas, enqueueCentroidUpdate } from './centroid-update.ts';
import { publishMemoryRemoved } from './events.ts';
import { lockClustering } from './store/clusters.ts';
import { deletePlacesOfMemories } from './store/maps.ts';
import {
  type Membership,
  membershipsOf,
  removeMembers,
  setIsInVectorSum,
} from './store/members.ts';

/** A change of a memory that affects its memberships. */
interface MembershipChange {
  readonly id: string;
  readonly wasActive: boolean;
  readonly isActive: boolean;
  /** It is erased permanently. */
  readonly isErased: boolean;
  readonly spaceId: string | null;
  /** Its vector is about to be replaced. */
  readonly hasNewContent: boolean;
}

/** Hook of memories: clusters count only active memories, and only those of their space. */
export async function updateClustersOfMemories(
  ctx: HookCtx,
  changes: readonly MemoryChange[],
): Promise<void> {
  const byAccount = Map.groupBy(changes, ({ before }) => before?.account_id ?? null);
  for (const [accountId, memberships] of byAccount) {
    if (accountId === null) continue;
    const relevant = memberships.map(toMembershipChange).filter(isRelevant);
    const rewritten = relevant.filter(({ hasNewContent }) => hasNewContent).map(({ id }) => id);
    if (rewritten.length > 0) await deletePlacesOfMemories(ctx.tx, accountId, rewritten);
    await applyChanges(ctx, accountId, relevant);
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

const isRelevant = (change: MembershipChange & { readonly moved: boolean }): boolean =>
  change.isErased || change.hasNewContent || change.moved || change.wasActive !== change.isActive;

/** Hook of memories: they are erased, with their session or alone. */
export async function removeMemoriesFromClusters(
  inTx: TxCtx,
  memoryIds: readonly string[],
): Promise<void> {
  const { accountId } = inTx.actor;
  const memberships = await membershipsOf(inTx.tx, accountId, memoryIds);
  if (memberships.length === 0) return;
  const ids = [...new Set(memberships.map(({ memory_id }) => memory_id))];
  const memories = await findLinkTargets(inTx.tx, accountId, ids);
  const changes = memories.map(({ id, space_id: spaceId, deleted_at }) => ({
    ...{ id, spaceId, wasActive: deleted_at === null },
    ...{ isActive: false, isErased: true, hasNewContent: false },
  }));
  await applyChanges(inTx, accountId, changes);
}

/** Hook of memories: the sums lose vectors that are about to be replaced; a job adds the new. */
export async function refreshVectorsInClusters(
  inTx: TxCtx,
  memoryIds: readonly string[],
): Promise<void> {
  const { accountId } = inTx.actor;
  if ((await membershipsOf(inTx.tx, accountId, memoryIds)).length === 0) return;
  const memories = await findLinkTargets(inTx.tx, accountId, memoryIds);
  const changes = memories.map(({ id, space_id: spaceId, deleted_at }) => ({
    ...{ id, spaceId, wasActive: deleted_at === null, isActive: deleted_at === null },
    ...{ isErased: false, hasNewContent: true },
  }));
  await applyChanges(inTx, accountId, changes);
}

async function applyChanges(
  ctx: HookCtx,
  accountId: string,
  fates: readonly MembershipChange[],
): Promise<void> {
  if (fates.length === 0) return;
  const { tx } = ctx;
  const byId = new Map(fates.map((change) => [change.id, change]));
  const ids = [...byId.keys()];
  // Most memories are in no cluster and need no lock.
  if ((await membershipsOf(tx, accountId, ids)).length === 0) return;
  await lockClustering(tx, accountId);
  const stored = await readVectors(tx, accountId, ids);
  const deltas = new ClusterDeltas();
  const [departed, removedFromSum, addedToSum, contentChanged] = [
    [] as Membership[],
    [] as Membership[],
    [] as Membership[],
    new Set<string>(),
  ];
  for (const one of await membershipsOf(tx, accountId, ids)) {
    const change = byId.get(one.memory_id);
    if (!change) continue;
    const remainsMember =
      !change.isErased && (one.space_id === null || one.space_id === change.spaceId);
    const isCounted = remainsMember && change.isActive;
    const delta = deltas.of(one.cluster_id);
    delta.count += Number(isCounted) - Number(change.wasActive);
    const staysInSum = isCounted && !change.hasNewContent;
    const hasVector = stored.vectors.has(one.memory_id);
    if (one.is_in_vector_sum && !staysInSum) delta.vectors.push({ memoryId: change.id, sign: -1 });
    if (!one.is_in_vector_sum && staysInSum && hasVector) {
      delta.vectors.push({ memoryId: change.id, sign: 1 });
      addedToSum.push(one);
    }
    if (!remainsMember) departed.push(one);
    else if (one.is_in_vector_sum && !staysInSum) removedFromSum.push(one);
    if (remainsMember && change.hasNewContent) contentChanged.add(change.id);
    if (!remainsMember && !change.isErased && one.run_id === null)
      publishLeft(ctx, accountId, one, change);
  }
  await removeMembers(tx, accountId, departed);
  await setIsInVectorSum(tx, accountId, removedFromSum, false);
  await setIsInVectorSum(tx, accountId, addedToSum, true);
  await applyClusterDeltas(ctx, accountId, deltas, stored);
  if (contentChanged.size > 0) await enqueueCentroidUpdate(ctx, accountId, [...contentChanged]);
}

/** For a move to another space; the event memory.deleted covers deletions. */
function publishLeft(
  ctx: HookCtx,
  accountId: string,
  one: Membership,
  change: MembershipChange,
): void {
  const { cluster_id: id, space_id, type } = one;
  // In the former space: keys that see only that one learn nothing about the other.
  const memory = { id: change.id, space_id };
  publishMemoryRemoved(ctx, { account_id: accountId, id, space_id, type }, memory);
}
