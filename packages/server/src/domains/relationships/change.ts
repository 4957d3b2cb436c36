import { isDeepStrictEqual } from 'node:util';
import { type Checked, metadata, type Relationship, type routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { mergePatch } from '../../kernel/merge.ts';
import { validate } from '../../kernel/validate.ts';
import { recordErasures } from '../../work/erasures.ts';
import { type Ctx, requireSpace, type TxCtx, withTransaction } from '../ctx.ts';
import { findEnds } from '../memories/index.ts';
import {
  presentRelationship,
  type RelationshipRecord,
  reinforced,
  requireNameable,
  type WeightChange,
  weakened,
} from './model.ts';
import { deleteRelationship, findRelationships, lockPair, saveRelationship } from './store.ts';
import { type Ends, endsOf, tellDeleted, tellUpdated } from './tell.ts';

type Params = Checked<typeof routes.relationships.update>['params'];

interface Found {
  readonly record: RelationshipRecord;
  readonly ends: Ends;
}

/**
 * The named relationship, and the other half of its pair where there is one; locked and allowed.
 * Throws 404 relationship_not_found, 403 space_access_denied, 422 for a type there cannot be.
 */
async function pick(
  { tx, actor }: TxCtx,
  { sourceId, targetId, type }: Params,
): Promise<{ one: Found; other: Found | undefined }> {
  requireNameable(actor.settings, type);
  const { accountId } = actor;
  const triple = { source_id: sourceId, target_id: targetId, type };
  const records = await lockPair(tx, accountId, triple);
  const read = records.length > 0 ? await findEnds(tx, accountId, [sourceId, targetId]) : [];
  const known = new Map(read.map((end) => [end.id, end]));
  const found = records.flatMap((record): Found[] => {
    const ends = endsOf(record, known);
    return ends ? [{ record, ends }] : [];
  });
  const isNamed = ({ record }: Found): boolean =>
    record.source_id === sourceId && record.type === type;
  const one = found.find(isNamed);
  if (!one) throw new AppError('relationship_not_found');
  for (const { space_id } of read) requireSpace(actor, space_id);
  return { one, other: found.find((each) => each !== one) };
}

/** Throws 409 conflict: with an end that is softly deleted, a relationship rests. */
function requireActive({ ends: { source, target } }: Found): void {
  const deleted = [source, target].find(({ deleted_at }) => deleted_at !== null);
  if (!deleted) return;
  throw new AppError('conflict', {
    message: 'A memory of the relationship is deleted; restore it first.',
    details: { memory_id: deleted.id },
  });
}

async function save(
  inTx: TxCtx,
  { record: before, ends }: Found,
  after: RelationshipRecord,
  changes: string[],
): Promise<Relationship> {
  const now = after.updated_at;
  await saveRelationship(inTx.tx, after);
  const shown = presentRelationship(after, now);
  tellUpdated(inTx, ends, { before: presentRelationship(before, now), after: shown, changes });
  return shown;
}

type Patch = Checked<typeof routes.relationships.update>['body'];

/** Changes the named one alone, also of a pair. A change that changes nothing tells nobody. */
export async function updateRelationship(
  ctx: Ctx,
  params: Params,
  patch: Patch,
): Promise<Relationship> {
  return withTransaction(ctx, async (inTx) => {
    const { one } = await pick(inTx, params);
    requireActive(one);
    const now = inTx.clock.now();
    const after = patched(one.record, patch, now);
    const changes = changedFields(one.record, after);
    if (changes.length === 0) return presentRelationship(one.record, now);
    return save(inTx, one, { ...after, updated_at: now }, changes);
  });
}

function patched(before: RelationshipRecord, patch: Patch, now: Date): RelationshipRecord {
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
async function move(
  ctx: Ctx,
  params: Params,
  changed: WeightChange,
  changes: string[],
): Promise<Relationship> {
  return withTransaction(ctx, async (inTx) => {
    const { one, other } = await pick(inTx, params);
    requireActive(one);
    const now = inTx.clock.now();
    const shown = await save(inTx, one, changed(one.record, now), changes);
    if (other) await save(inTx, other, changed(other.record, now), changes);
    return shown;
  });
}

export const reinforce = (ctx: Ctx, params: Params, amount: number): Promise<Relationship> =>
  move(ctx, params, reinforced(amount), ['weight', 'usage_count', 'last_reinforced_at']);

export const weaken = (ctx: Ctx, params: Params, amount: number): Promise<Relationship> =>
  move(ctx, params, weakened(amount), ['weight']);

/** Removes the named one; the other half of a pair stays. Also with an end that is deleted. */
export async function removeRelationship(ctx: Ctx, params: Params): Promise<void> {
  await withTransaction(ctx, async (inTx) => {
    const { one } = await pick(inTx, params);
    await erase(inTx, one.record);
    tellDeleted(inTx, one.ends, one.record);
  });
}

/** By its id, whatever its type and its ends; false where there is none. */
export const eraseRelationship = (ctx: Ctx, id: string): Promise<boolean> =>
  withTransaction(ctx, async (inTx) => {
    const { tx, actor } = inTx;
    const [record] = await findRelationships(tx, actor.accountId, [id]);
    if (!record) return false;
    await erase(inTx, record);
    const read = await findEnds(tx, actor.accountId, [record.source_id, record.target_id]);
    const ends = endsOf(record, new Map(read.map((end) => [end.id, end])));
    if (ends) tellDeleted(inTx, ends, record);
    return true;
  });

async function erase(inTx: TxCtx, { id }: RelationshipRecord): Promise<void> {
  await deleteRelationship(inTx.tx, inTx.actor.accountId, id);
  await recordErasures(inTx, 'relationship', [id]);
}
