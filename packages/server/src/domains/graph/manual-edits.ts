import type { Entity, EntityType, Fact, routes, ValidatedRequest } from '@mneme/contract';
import { AppError, fieldError } from '../../kernel/errors.ts';
import {
  type Ctx,
  requireSpaceAccess,
  type TxCtx,
  visibleSpaces,
  withTransaction,
} from '../ctx.ts';
import { lockMemoriesForKeyShare, type MemoryRecord, memoryInTx } from '../memories/index.ts';
import { requireExistingSpaces } from '../spaces/index.ts';
import {
  defaultStatement,
  type EntityRecord,
  lastWord,
  nameKey,
  presentEntity,
  presentFact,
  spaceKey,
} from './model.ts';
import { toSourceText } from './process-batch.ts';
import { updateFacts } from './rebuild-facts.ts';
import { nextRecordedAt, uniqueFactGroups } from './record-extractions.ts';
import {
  type AssertionRecord,
  findLiveAssertions,
  insertAssertions,
  lockAccountGraph,
  retractAssertions,
} from './store/assertion-log.ts';
import { findEntityNames, insertEntities, insertEntityNames } from './store/entities.ts';
import {
  insertEntityChange,
  lockEntities,
  retainEntities,
  saveEntity,
} from './store/entity-changes.ts';
import { spaceOfFact } from './store/facts.ts';
import { deleteOtherNames, namesOfEntity, upsertManualNames } from './store/names.ts';
import { aliasesOf, listFacts } from './store/read.ts';

type NewEntity = ValidatedRequest<typeof routes.knowledge.create>['body'];
type EntityPatch = ValidatedRequest<typeof routes.knowledge.update>['body'];
type NewFact = ValidatedRequest<typeof routes.knowledge.createFact>['body'];

/** Creates an entity; 409 conflict if one of its names exists in the space already. */
export async function createEntity(ctx: Ctx, body: NewEntity): Promise<Entity> {
  const spaceId = body.space_id ?? null;
  requireSpaceAccess(ctx.actor, spaceId);
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, ids, clock } = inTx;
    await lockAccountGraph(tx, actor.accountId);
    // A deletion of the space also holds the account's graph lock.
    if (spaceId !== null) await requireExistingSpaces(inTx, actor.accountId, [spaceId]);
    const now = clock.now();
    const record: EntityRecord = {
      account_id: actor.accountId,
      id: ids.uuid(),
      space_id: spaceId,
      name: body.name,
      type: body.type,
      is_retained: true,
      merged_into: null,
      merged_at: null,
      created_at: now,
      updated_at: now,
    };
    await requireNamesAvailable(inTx, record, [body.name, ...body.aliases]);
    await insertEntities(tx, actor.accountId, [record]);
    await addManualNames(inTx, record, [body.name, ...body.aliases], [record.type]);
    return presentWithAliases(inTx, record);
  });
}

/** Updates an entity; extracted names remain aliases unless aliases are specified. */
export async function updateEntity(ctx: Ctx, id: string, body: EntityPatch): Promise<Entity> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, ids, clock } = inTx;
    await lockAccountGraph(tx, actor.accountId);
    const previous = (await lockEntities(tx, actor.accountId, [id])).get(id);
    if (!previous) throw new AppError('not_found');
    requireSpaceAccess(actor, previous.space_id);
    requireUnmerged(previous);
    const now = clock.now();
    const after: EntityRecord = {
      ...previous,
      name: body.name ?? previous.name,
      type: body.type ?? previous.type,
      is_retained: true,
      updated_at: now,
    };
    const names = [after.name, ...(body.aliases ?? [])];
    await requireNamesAvailable(inTx, after, names);
    await saveEntity(tx, after);
    // Texts that gave it another type, or use this name for an entity merged into it, still mean
    // it.
    const currentNames = await namesOfEntity(tx, actor.accountId, id);
    const types = [after.type, ...currentNames.map(({ type }) => type)];
    if (body.aliases) await deleteOtherNames(tx, actor.accountId, id, names);
    else await addNames(inTx, after, currentNames);
    await addManualNames(inTx, after, names, types);
    if (after.name !== previous.name) {
      const detail = `${previous.name} → ${after.name}`;
      const change = {
        accountId: actor.accountId,
        entityId: id,
        kind: 'renamed',
        at: now,
      } as const;
      await insertEntityChange(tx, { ...change, id: ids.uuid(), detail });
    }
    return presentWithAliases(inTx, after);
  });
}

/** A merged entity cannot be changed: change the target of the merge. */
function requireUnmerged({ merged_into: mergedInto }: EntityRecord): void {
  if (mergedInto === null) return;
  const message = 'The entity was merged into another one. Update that one instead.';
  throw new AppError('conflict', { message, details: { merged_into: mergedInto } });
}

async function requireNamesAvailable(
  { tx, actor }: TxCtx,
  { id, space_id, type }: EntityRecord,
  names: readonly string[],
): Promise<void> {
  const space = spaceKey(space_id);
  const keys = names.map((name) => ({ space, type, key: nameKey(name, type) }));
  const existingNames = await findEntityNames(tx, actor.accountId, keys);
  const other = existingNames.find(({ entity_id }) => entity_id !== id);
  if (!other) return;
  const message = 'Another entity of the space has this name.';
  throw new AppError('conflict', { message, details: { entity_id: other.entity_id } });
}

/** Adds the names that texts use, under its current type. */
async function addNames(
  { tx, actor }: TxCtx,
  { id, space_id, type }: EntityRecord,
  names: readonly { readonly name: string; readonly is_manual: boolean }[],
): Promise<void> {
  const rows = names.map(({ name, is_manual }) => {
    const key = nameKey(name, type);
    return {
      space: spaceKey(space_id),
      type,
      key,
      tail: lastWord(key),
      name,
      entity_id: id,
      is_manual,
    };
  });
  await insertEntityNames(tx, actor.accountId, rows);
}

async function addManualNames(
  { tx, actor }: TxCtx,
  { id, space_id }: EntityRecord,
  names: readonly string[],
  types: readonly EntityType[],
): Promise<void> {
  const rows = types.flatMap((type) =>
    names.map((name) => {
      const key = nameKey(name, type);
      const space = spaceKey(space_id);
      return { space, type, key, tail: lastWord(key), name, entity_id: id, is_manual: true };
    }),
  );
  await upsertManualNames(tx, actor.accountId, rows);
}

async function presentWithAliases({ tx, actor }: TxCtx, record: EntityRecord): Promise<Entity> {
  const aliases = await aliasesOf(tx, actor.accountId, [record.id]);
  return presentEntity(record, aliases.get(record.id) ?? []);
}

/** Creates a fact manually; `corrects`: it replaces a fact that is believed now. */
export async function createFact(ctx: Ctx, body: NewFact): Promise<Fact> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, ids, clock } = inTx;
    const { accountId } = actor;
    // Memories are locked before the graph, as everywhere.
    const source = body.source_memory_id
      ? await lockSourceMemory(inTx, body.source_memory_id)
      : null;
    await lockAccountGraph(tx, accountId);
    const entityIds = [body.subject_id, ...(body.object_id === undefined ? [] : [body.object_id])];
    const entities = await lockEntities(tx, accountId, entityIds);
    const [subject, object] = entityIds.map((id) =>
      requireAccessibleEntity(inTx, entities.get(id)),
    );
    if (!subject) throw new AppError('not_found');
    if (object && object.id === subject.id) {
      const message = 'must be different from subject_id';
      throw fieldError('object_id', { code: 'invalid_range', message });
    }
    if (object && object.space_id !== subject.space_id) {
      throw new AppError('conflict', { message: 'Both entities must be in the same space.' });
    }
    if (source && source.space_id !== subject.space_id) {
      throw new AppError('conflict', {
        message: 'The source memory must be in the space of the entities.',
      });
    }
    const correctedAssertions =
      body.corrects === undefined ? [] : await findAssertionsOfFact(inTx, body.corrects);
    const assertion: Omit<AssertionRecord, 'recorded_at'> = {
      id: ids.uuid(),
      space_id: subject.space_id,
      subject_id: subject.id,
      predicate: body.predicate,
      object_id: object?.id ?? null,
      object_value: body.object_value ?? null,
      statement: body.statement ?? defaultStatement(subject.name, body, object?.name),
      // In the precision of the column: too small values become 0.
      confidence: Math.fround(body.confidence),
      valid_from: body.valid_from ?? null,
      valid_to: body.valid_to ?? null,
      observed_at: source ? toSourceText(source).at : clock.now(),
      memory_id: source?.id ?? null,
      is_manual: true,
      retracted_at: null,
      retracted_by: null,
    };
    const groups = uniqueFactGroups([assertion, ...correctedAssertions]);
    const now = await nextRecordedAt(inTx, groups, clock.now());
    const correctedIds = correctedAssertions.map(({ id }) => id);
    await retractAssertions(tx, accountId, correctedIds, 'hand', now);
    await insertAssertions(tx, accountId, [{ ...assertion, recorded_at: now }]);
    await retainEntities(tx, accountId, entityIds);
    const memoryIds = [assertion, ...correctedAssertions].map((one) => one.memory_id);
    await updateFacts(inTx, groups, now, memoryIds);
    const [fact] = await loadFacts(inTx, { assertionId: assertion.id, knownAt: now });
    if (!fact) throw new Error('an asserted fact was not derived');
    return presentFact(fact);
  });
}

/** Locked until the transaction ends. Throws 404 memory_not_found, 403, 409 for a deleted one. */
async function lockSourceMemory(inTx: TxCtx, id: string): Promise<MemoryRecord> {
  const existing = await lockMemoriesForKeyShare(inTx.tx, inTx.actor.accountId, [id]);
  if (!existing.has(id)) throw new AppError('memory_not_found');
  const record = await memoryInTx(inTx, id);
  if (!record)
    throw new AppError('conflict', { message: 'The memory is deleted. Restore it first.' });
  requireSpaceAccess(inTx.actor, record.space_id);
  return record;
}

function requireAccessibleEntity({ actor }: TxCtx, record: EntityRecord | undefined): EntityRecord {
  if (!record) throw new AppError('not_found');
  requireSpaceAccess(actor, record.space_id);
  requireUnmerged(record);
  return record;
}

/** Retracts a fact; the same words do not assert it again. */
export async function removeFact(ctx: Ctx, id: string): Promise<Fact> {
  return withTransaction(ctx, async (inTx) => {
    const { tx, actor, clock } = inTx;
    await lockAccountGraph(tx, actor.accountId);
    const assertions = await findAssertionsOfFact(inTx, id);
    const groups = uniqueFactGroups(assertions);
    const now = await nextRecordedAt(inTx, groups, clock.now());
    const saidIds = assertions.map((one) => one.id);
    await retractAssertions(tx, actor.accountId, saidIds, 'hand', now);
    const memoryIds = assertions.map((one) => one.memory_id);
    await updateFacts(inTx, groups, now, memoryIds);
    const [fact] = await loadFacts(inTx, { ids: [id], knownAt: null });
    if (!fact) throw new AppError('not_found');
    return presentFact(fact);
  });
}

/** The assertions of a fact. Throws 404 not_found, 409 conflict if the fact is retracted. */
async function findAssertionsOfFact(inTx: TxCtx, factId: string): Promise<AssertionRecord[]> {
  const spaceId = await spaceOfFact(inTx.tx, inTx.actor.accountId, factId);
  if (spaceId !== undefined) requireSpaceAccess(inTx.actor, spaceId);
  const [fact] = await loadFacts(inTx, { ids: [factId], knownAt: null });
  if (!fact) throw new AppError('not_found');
  if (fact.invalidated_at !== null) {
    throw new AppError('conflict', { message: 'The fact was retracted or replaced already.' });
  }
  return findLiveAssertions(inTx.tx, inTx.actor.accountId, fact.sources);
}

const loadFacts = async (
  { tx, actor }: TxCtx,
  filter: Parameters<typeof listFacts>[2],
): Promise<Awaited<ReturnType<typeof listFacts>>['facts']> => {
  const visibility = { accountId: actor.accountId, visible: visibleSpaces(actor) };
  const { facts } = await listFacts(tx, visibility, filter, { limit: 1_000, offset: 0 });
  return facts;
};
