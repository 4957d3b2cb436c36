import { isDeepStrictEqual } from 'node:util';
import { metadata, type Relationship, type routes, type ValidatedRequest } from '@mneme/contract';
import { recordErasures } from '../../instance/erasure-ledger.ts';
import { AppError } from '../../kernel/errors.ts';
import { mergePatch } from '../../kernel/json-merge-patch.ts';
import { validate } from '../../kernel/validate.ts';
import { type Ctx, isOfUser, requireSpaceAccess, type TxCtx, withTransaction } from '../ctx.ts';
import { findLinkTargets, lockLinkTargets } from '../memories/index.ts';
import {
  findLinkedMemories,
  type LinkedMemories,
  publishRelationshipDeleted,
  publishRelationshipUpdated,
} from './events.ts';
import {
  presentRelationship,
  type RelationshipRecord,
  reinforceBy,
  requireKnownType,
  type WeightUpdater,
  weakenBy,
} from './model.ts';
import {
  deleteRelationship,
  findRelationships,
  lockRelationshipAndInverse,
  saveRelationship,
} from './store/relationships.ts';
import { olderMemoryOf, reindexOlderMemories } from './superseded.ts';

type Params = ValidatedRequest<typeof routes.relationships.update>['params'];

interface RelationshipWithMemories {
  readonly record: RelationshipRecord;
  readonly memories: LinkedMemories;
}

/**
 * Locks the named relationship and, if it exists, the inverse of its pair; checks access. Throws
 * 404 relationship_not_found, 403 space_access_denied, 422 for an invalid type.
 */
async function lockRelationship(
  { tx, actor }: TxCtx,
  { sourceId, targetId, type }: Params,
): Promise<{ relationship: RelationshipWithMemories; inverse?: RelationshipWithMemories }> {
  requireKnownType(actor.settings, type);
  const { accountId } = actor;
  const triple = { source_id: sourceId, target_id: targetId, type };
  const records = await lockRelationshipAndInverse(tx, accountId, triple);
  const targets =
    records.length > 0 ? await findLinkTargets(tx, accountId, [sourceId, targetId]) : [];
  const targetsById = new Map(targets.map((target) => [target.id, target]));
  const found = records.flatMap((record): RelationshipWithMemories[] => {
    const memories = findLinkedMemories(record, targetsById);
    return memories ? [{ record, memories }] : [];
  });
  const isNamed = ({ record }: RelationshipWithMemories): boolean =>
    record.source_id === sourceId && record.type === type;
  const relationship = found.find(isNamed);
  if (!relationship) throw new AppError('relationship_not_found');
  if (!targets.every((target) => isOfUser(actor, target)))
    throw new AppError('relationship_not_found');
  for (const { space_id } of targets) requireSpaceAccess(actor, space_id);
  const inverse = found.find((candidate) => candidate !== relationship);
  return { relationship, ...(inverse && { inverse }) };
}

/** Throws 409 conflict: a relationship with a soft-deleted memory is inactive. */
function requireActiveMemories({ memories: { source, target } }: RelationshipWithMemories): void {
  const deleted = [source, target].find(({ deleted_at }) => deleted_at !== null);
  if (!deleted) return;
  throw new AppError('conflict', {
    message: 'A memory of the relationship is deleted; restore it first.',
    details: { memory_id: deleted.id },
  });
}

async function saveAndPublish(
  inTx: TxCtx,
  { record: before, memories }: RelationshipWithMemories,
  after: RelationshipRecord,
  changes: string[],
): Promise<Relationship> {
  const now = after.updated_at;
  await saveRelationship(inTx.tx, after);
  const response = presentRelationship(after, now);
  publishRelationshipUpdated(inTx, memories, {
    before: presentRelationship(before, now),
    after: response,
    changes,
  });
  return response;
}

type Patch = ValidatedRequest<typeof routes.relationships.update>['body'];

/** Changes only the named relationship, also of a pair. No event if nothing changes. */
export async function updateRelationship(
  ctx: Ctx,
  params: Params,
  patch: Patch,
): Promise<Relationship> {
  return withTransaction(ctx, async (inTx) => {
    const { relationship } = await lockRelationship(inTx, params);
    requireActiveMemories(relationship);
    const now = inTx.clock.now();
    const after = applyPatch(relationship.record, patch, now);
    const changes = changedFields(relationship.record, after);
    if (changes.length === 0) return presentRelationship(relationship.record, now);
    return saveAndPublish(inTx, relationship, { ...after, updated_at: now }, changes);
  });
}

function applyPatch(before: RelationshipRecord, patch: Patch, now: Date): RelationshipRecord {
  const weight = patch.weight ?? patch.strength;
  return {
    ...before,
    ...(weight === undefined ? {} : { weight, weight_set_at: now }),
    ...(patch.description === undefined ? {} : { description: patch.description }),
    // The merged metadata must satisfy the limits, not only the patch.
    ...(patch.metadata === undefined
      ? {}
      : { metadata: validate(metadata, mergePatch(before.metadata, patch.metadata), 'metadata') }),
  };
}

/** Setting the same weight restarts its decay, so it counts as a change. */
function changedFields(before: RelationshipRecord, after: RelationshipRecord): string[] {
  const isDecayRestarted =
    before.decay_rate > 0 && before.weight_set_at.getTime() !== after.weight_set_at.getTime();
  return [
    ...(before.weight !== after.weight || isDecayRestarted ? ['weight'] : []),
    ...(before.description === after.description ? [] : ['description']),
    ...(isDeepStrictEqual(before.metadata, after.metadata) ? [] : ['metadata']),
  ];
}

/** Changes both relationships of a pair, each from its weight after decay. */
async function changeWeight(
  ctx: Ctx,
  params: Params,
  change: WeightUpdater,
  changes: string[],
): Promise<Relationship> {
  return withTransaction(ctx, async (inTx) => {
    const { relationship, inverse } = await lockRelationship(inTx, params);
    requireActiveMemories(relationship);
    const now = inTx.clock.now();
    const response = await saveAndPublish(
      inTx,
      relationship,
      change(relationship.record, now),
      changes,
    );
    if (inverse) await saveAndPublish(inTx, inverse, change(inverse.record, now), changes);
    return response;
  });
}

export const reinforce = (ctx: Ctx, params: Params, amount: number): Promise<Relationship> =>
  changeWeight(ctx, params, reinforceBy(amount), ['weight', 'usage_count', 'last_reinforced_at']);

export const weaken = (ctx: Ctx, params: Params, amount: number): Promise<Relationship> =>
  changeWeight(ctx, params, weakenBy(amount), ['weight']);

/** Removes only the named relationship of a pair, also if one of its memories is soft-deleted. */
export async function removeRelationship(ctx: Ctx, params: Params): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    await lockOlderMemory(inTx, {
      source_id: params.sourceId,
      target_id: params.targetId,
      type: params.type,
    });
    const { relationship } = await lockRelationship(inTx, params);
    await deleteAndRecord(inTx, relationship.record);
    publishRelationshipDeleted(inTx, relationship.memories, relationship.record);
  });
}

/** Removes a relationship by its id, regardless of type and memories; false if not found. */
export const eraseRelationship = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    const [record] = await findRelationships(tx, actor.accountId, [id]);
    if (!record) return false;
    await lockOlderMemory(inTx, record);
    await deleteAndRecord(inTx, record);
    const targets = await findLinkTargets(tx, actor.accountId, [
      record.source_id,
      record.target_id,
    ]);
    const memories = findLinkedMemories(
      record,
      new Map(targets.map((target) => [target.id, target])),
    );
    if (memories) publishRelationshipDeleted(inTx, memories, record);
    return true;
  });

/** Before relationships are locked: links to it cannot be added meanwhile. */
async function lockOlderMemory(
  { tx, actor }: TxCtx,
  link: Pick<RelationshipRecord, 'source_id' | 'target_id' | 'type'>,
): Promise<void> {
  const older = olderMemoryOf(link);
  if (older !== null) await lockLinkTargets(tx, actor.accountId, [older]);
}

async function deleteAndRecord(inTx: TxCtx, record: RelationshipRecord): Promise<void> {
  await deleteRelationship(inTx.tx, inTx.actor.accountId, record.id);
  await recordErasures(inTx, 'relationship', [record.id]);
  await reindexOlderMemories(inTx, [record]);
}
