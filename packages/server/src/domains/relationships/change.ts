import { isDeepStrictEqual } from 'node:util';
import { metadata, type Relationship, type routes, type ValidatedRequest } from '@mneme/contract';
import { recordErasures } from '../../instance/erasure-ledger.ts';
import { AppError } from '../../kernel/errors.ts';
import { mergePatch } from '../../kernel/json-merge-patch.ts';
import { validate } from '../../kernel/validate.ts';
import { type Ctx, requireSpaceAccess, type TxCtx, withTransaction } from '../ctx.ts';
import { findLinkTargets } from '../memories/index.ts';
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
  type WeightChange,
  weakenBy,
} from './model.ts';
import {
  deleteRelationship,
  findRelationships,
  lockPair,
  saveRelationship,
} from './store/relationships.ts';

type Params = ValidatedRequest<typeof routes.relationships.update>['params'];

interface RelationshipWithMemories {
  readonly record: RelationshipRecord;
  readonly memories: LinkedMemories;
}

/**
 * The named relationship, and the other half of its pair where there is one; locked and allowed.
 * Throws 404 relationship_not_found, 403 space_access_denied, 422 for a type there cannot be.
 */
async function lockRelationship(
  { tx, actor }: TxCtx,
  { sourceId, targetId, type }: Params,
): Promise<{ one: RelationshipWithMemories; other: RelationshipWithMemories | undefined }> {
  requireKnownType(actor.settings, type);
  const { accountId } = actor;
  const triple = { source_id: sourceId, target_id: targetId, type };
  const records = await lockPair(tx, accountId, triple);
  const read = records.length > 0 ? await findLinkTargets(tx, accountId, [sourceId, targetId]) : [];
  const known = new Map(read.map((end) => [end.id, end]));
  const found = records.flatMap((record): RelationshipWithMemories[] => {
    const ends = findLinkedMemories(record, known);
    return ends ? [{ record, memories: ends }] : [];
  });
  const isNamed = ({ record }: RelationshipWithMemories): boolean =>
    record.source_id === sourceId && record.type === type;
  const one = found.find(isNamed);
  if (!one) throw new AppError('relationship_not_found');
  for (const { space_id } of read) requireSpaceAccess(actor, space_id);
  return { one, other: found.find((each) => each !== one) };
}

/** Throws 409 conflict: with an end that is softly deleted, a relationship rests. */
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
  const shown = presentRelationship(after, now);
  publishRelationshipUpdated(inTx, memories, {
    before: presentRelationship(before, now),
    after: shown,
    changes,
  });
  return shown;
}

type Patch = ValidatedRequest<typeof routes.relationships.update>['body'];

/** Changes the named one alone, also of a pair. A change that changes nothing tells nobody. */
export async function updateRelationship(
  ctx: Ctx,
  params: Params,
  patch: Patch,
): Promise<Relationship> {
  return withTransaction(ctx, async (inTx) => {
    const { one } = await lockRelationship(inTx, params);
    requireActiveMemories(one);
    const now = inTx.clock.now();
    const after = applyPatch(one.record, patch, now);
    const changes = changedFields(one.record, after);
    if (changes.length === 0) return presentRelationship(one.record, now);
    return saveAndPublish(inTx, one, { ...after, updated_at: now }, changes);
  });
}

function applyPatch(before: RelationshipRecord, patch: Patch, now: Date): RelationshipRecord {
  const weight = patch.weight ?? patch.strength;
  return {
    ...before,
    ...(weight === undefined ? {} : { weight, weight_set_at: now }),
    ...(patch.description === undefined ? {} : { description: patch.description }),
    // The merged whole has the published limits too, not only the patch.
    ...(patch.metadata === undefined
      ? {}
      : { metadata: validate(metadata, mergePatch(before.metadata, patch.metadata), 'metadata') }),
  };
}

/** A weight that is set anew decays anew, also from the same value. */
function changedFields(before: RelationshipRecord, after: RelationshipRecord): string[] {
  const setAnew =
    before.decay_rate > 0 && before.weight_set_at.getTime() !== after.weight_set_at.getTime();
  return [
    ...(before.weight !== after.weight || setAnew ? ['weight'] : []),
    ...(before.description === after.description ? [] : ['description']),
    ...(isDeepStrictEqual(before.metadata, after.metadata) ? [] : ['metadata']),
  ];
}

/** Both halves of a pair move, each from what decay has left of it. */
async function changeWeight(
  ctx: Ctx,
  params: Params,
  changed: WeightChange,
  changes: string[],
): Promise<Relationship> {
  return withTransaction(ctx, async (inTx) => {
    const { one, other } = await lockRelationship(inTx, params);
    requireActiveMemories(one);
    const now = inTx.clock.now();
    const shown = await saveAndPublish(inTx, one, changed(one.record, now), changes);
    if (other) await saveAndPublish(inTx, other, changed(other.record, now), changes);
    return shown;
  });
}

export const reinforce = (ctx: Ctx, params: Params, amount: number): Promise<Relationship> =>
  changeWeight(ctx, params, reinforceBy(amount), ['weight', 'usage_count', 'last_reinforced_at']);

export const weaken = (ctx: Ctx, params: Params, amount: number): Promise<Relationship> =>
  changeWeight(ctx, params, weakenBy(amount), ['weight']);

/** Removes the named one; the other half of a pair stays. Also with an end that is deleted. */
export async function removeRelationship(ctx: Ctx, params: Params): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const { one } = await lockRelationship(inTx, params);
    await deleteAndRecord(inTx, one.record);
    publishRelationshipDeleted(inTx, one.memories, one.record);
  });
}

/** By its id, whatever its type and its ends; false where there is none. */
export const eraseRelationship = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    const [record] = await findRelationships(tx, actor.accountId, [id]);
    if (!record) return false;
    await deleteAndRecord(inTx, record);
    const read = await findLinkTargets(tx, actor.accountId, [record.source_id, record.target_id]);
    const ends = findLinkedMemories(record, new Map(read.map((end) => [end.id, end])));
    if (ends) publishRelationshipDeleted(inTx, ends, record);
    return true;
  });

async function deleteAndRecord(inTx: TxCtx, { id }: RelationshipRecord): Promise<void> {
  await deleteRelationship(inTx.tx, inTx.actor.accountId, id);
  await recordErasures(inTx, 'relationship', [id]);
}
