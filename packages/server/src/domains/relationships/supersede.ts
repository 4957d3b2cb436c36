import { limits } from '@mneme/contract';
import type { Tx } from '../../database/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { TxCtx } from '../ctx.ts';
import {
  type HookCtx,
  lockLinkTargets,
  requireUsableTargets,
  type Succession,
} from '../memories/index.ts';
import { createRelationships, linkDefaults, requireRelationshipQuota } from './create.ts';
import { supersedesType } from './model.ts';
import { countDegrees, findRelationshipTriples } from './store/relationships.ts';
import { type SuccessionEdge, selfSuccessionError } from './succession-graph.ts';
import { reindexOlderMemories } from './superseded.ts';

/**
 * Locks the older memories of each succession, and the newer one if it is stored. Sets the
 * rejection: 404 memory_not_found, 403 space_access_denied, 409 conflict (deleted, or itself), 403
 * quota_exceeded. Removes older memories that are superseded by the newer one already.
 */
export async function checkSuccessions({ tx }: HookCtx, successions: Succession[]): Promise<void> {
  const byAccount = Map.groupBy(successions, ({ actor }) => actor.accountId);
  // In one order, as creates of several accounts share a transaction.
  for (const [accountId, own] of [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await checkAccount(tx, accountId, own);
  }
}

async function checkAccount(tx: Tx, accountId: string, successions: Succession[]): Promise<void> {
  const ids = [
    ...new Set(
      successions.flatMap(({ newerId, isNew, olderIds }) =>
        isNew ? olderIds : [newerId, ...olderIds],
      ),
    ),
  ];
  const targets = await lockLinkTargets(tx, accountId, ids);
  const targetsById = new Map(targets.map((target) => [target.id, target]));
  const links = successions.flatMap(({ olderIds }) => olderIds).length;
  const degrees = await countDegrees(
    tx,
    accountId,
    ids,
    limits.relationshipsPerMemoryMax - 2 * links,
  );
  for (const succession of successions) {
    const { actor, newerId, isNew } = succession;
    try {
      if (!isNew) await removeExisting(tx, succession);
      const { olderIds } = succession;
      requireUsableTargets(actor, isNew ? olderIds : [newerId, ...olderIds], targetsById);
      if (olderIds.includes(newerId)) throw selfSuccessionError(newerId);
      for (const id of olderIds) requireRelationshipQuota([newerId, id], 1, degrees);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      succession.rejection = error;
    }
  }
}

async function removeExisting(tx: Tx, succession: Succession): Promise<void> {
  const { actor, newerId, olderIds } = succession;
  const existing = await findRelationshipTriples(
    tx,
    actor.accountId,
    olderIds.map((id) => ({ source_id: newerId, target_id: id, type: supersedesType })),
  );
  const superseded = new Set(existing.map(({ target_id }) => target_id));
  succession.olderIds = olderIds.filter((id) => !superseded.has(id));
}

/**
 * Links newer memories, which are stored now, to the older ones. Throws 409 conflict for a cycle,
 * which no new memory can close.
 */
export async function linkSuccessions(
  ctx: HookCtx,
  successions: readonly Succession[],
): Promise<void> {
  for (const succession of successions) {
    const error = await createLinks(ctx, succession);
    if (error) throw error;
  }
  for (const [, own] of Map.groupBy(successions, ({ actor }) => actor.accountId)) {
    const [first] = own;
    if (!first) continue;
    const links = own.flatMap(({ newerId, olderIds }) =>
      olderIds.map((id) => ({ source_id: newerId, target_id: id, type: supersedesType })),
    );
    await reindexOlderMemories({ ...ctx, actor: first.actor }, links);
  }
}

/** Returns the first error. */
async function createLinks(
  ctx: HookCtx,
  { actor, newerId, olderIds }: Succession,
): Promise<AppError | null> {
  const results = await createRelationships(
    { ...ctx, actor },
    olderIds.map((id) => ({
      sourceId: newerId,
      type: supersedesType,
      body: { target_id: id, ...linkDefaults },
    })),
  );
  return results.find((result) => result instanceof AppError) ?? null;
}

/**
 * Links a stored memory to an older one, unless it is linked already. Returns why it cannot: as
 * `checkSuccessions`, or 409 conflict for a cycle. The caller reindexes the older memory.
 */
export async function trySupersede(
  inTx: HookCtx & Pick<TxCtx, 'actor'>,
  { newerId, olderId }: SuccessionEdge,
): Promise<AppError | null> {
  const { actor } = inTx;
  const succession: Succession = {
    actor,
    newerId,
    isNew: false,
    olderIds: [olderId],
    rejection: null,
  };
  await checkSuccessions(inTx, [succession]);
  return succession.rejection ?? createLinks(inTx, succession);
}
