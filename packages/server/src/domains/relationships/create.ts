import {
  type BatchRelationshipItem,
  type CreatedRelationship,
  type CreateRelationshipBody,
  type FieldError,
  limits,
  type ResponseBody,
  type routes,
  type ValidatedItem,
} from '@mneme/contract';
import { AppError, toItemError, validationError } from '../../kernel/errors.ts';
import { requireValid } from '../../kernel/validate.ts';
import { type Ctx, requireSpaceAccess, type TxCtx, withTransaction } from '../ctx.ts';
import { type LinkTarget, lockLinkTargets } from '../memories/index.ts';
import { type LinkedMemories, publishRelationshipCreated } from './events.ts';
import {
  findTypeFieldError,
  inverseType,
  presentRelationship,
  type RelationshipRecord,
  tripleKey,
} from './model.ts';
import { countDegrees, findTriples, insertRelationships } from './store/relationships.ts';

/** A link that is to be made, checked as far as that needs no look at stored data. */
interface LinkDraft {
  readonly sourceId: string;
  readonly type: string;
  readonly body: CreateRelationshipBody;
}

type ItemResult = CreatedRelationship | AppError;

/**
 * Links two memories; a bidirectional create makes both halves, or none. Throws 404
 * memory_not_found, 403 space_access_denied, 409 conflict (an end is softly deleted), 409
 * relationship_exists, 403 quota_exceeded.
 */
export async function createRelationship(
  ctx: Ctx,
  sourceId: string,
  body: CreateRelationshipBody,
): Promise<CreatedRelationship> {
  const link = validateLink(ctx, sourceId, body);
  return withTransaction(ctx, async (inTx) => {
    const [outcome] = await createLinks(inTx, [link]);
    if (outcome === undefined || outcome instanceof AppError) throw outcome;
    return outcome;
  });
}

/** Makes up to 100 relationships, each on its own, in their order. */
export async function createBatch(
  ctx: Ctx,
  items: readonly ValidatedItem<BatchRelationshipItem>[],
): Promise<ResponseBody<typeof routes.relationships.batch>> {
  const faults = new Map<number, AppError>();
  const links: { index: number; link: LinkDraft }[] = [];
  for (const [index, item] of items.entries()) {
    try {
      const { source_id: sourceId, ...body } = requireValid(item);
      links.push({ index, link: validateLink(ctx, sourceId, body) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.set(index, error);
    }
  }
  return withTransaction(ctx, async (inTx) => {
    const failed = new Map(faults);
    const succeeded: CreatedRelationship[] = [];
    const outcomes = await createLinks(
      inTx,
      links.map(({ link }) => link),
    );
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome instanceof AppError) failed.set(links[i]?.index ?? i, outcome);
      else succeeded.push(outcome);
    }
    const told = [...failed].sort(([a], [b]) => a - b);
    return {
      succeeded,
      failed: told.map(([index, error]) => ({ index, error: toItemError(error) })),
    };
  });
}

/** Throws 422: a self-link, a type that may not be named, a pair of a type without an inverse. */
function validateLink(ctx: Ctx, sourceId: string, body: CreateRelationshipBody): LinkDraft {
  const { relationship_type: named, type: alias } = body;
  const type = named ?? alias ?? '';
  const faults: Record<string, FieldError> = {};
  if (body.target_id === sourceId) {
    const message = 'must be another memory than the source';
    faults.target_id = { code: 'invalid_format', message };
  }
  const unknown = findTypeFieldError(ctx.actor.settings, type);
  if (unknown) faults[named === undefined ? 'type' : 'relationship_type'] = unknown;
  else if (body.bidirectional && inverseType(type) === null) {
    const message = 'must be false for a custom type, which has no inverse';
    faults.bidirectional = { code: 'invalid_enum_value', message };
  }
  if (Object.keys(faults).length > 0) throw validationError(faults);
  return { sourceId, type, body };
}

/**
 * Makes relationships one after another, each with its own outcome. Both memories of each are
 * locked first, so that nobody else counts or links them meanwhile.
 */
export async function createLinks(inTx: TxCtx, links: readonly LinkDraft[]): Promise<ItemResult[]> {
  if (links.length === 0) return [];
  const { tx, actor } = inTx;
  const now = inTx.clock.now();
  const { accountId } = actor;
  const ids = [...new Set(links.flatMap(({ sourceId, body }) => [sourceId, body.target_id]))];
  const known = new Map((await lockLinkTargets(tx, accountId, ids)).map((end) => [end.id, end]));
  const drafts = links.map((link) => buildRecords(inTx, link, known, now));
  const found = await findTriples(tx, accountId, drafts.flat());
  const triples = new Map(found.map((one) => [recordKey(one), one.id]));
  // Exact where these links could reach the limit.
  const near = limits.relationshipsPerMemoryMax - 2 * links.length;
  const degrees = await countDegrees(tx, accountId, ids, near);
  const made: RelationshipRecord[] = [];
  const outcomes = links.map((link, i): ItemResult => {
    const records = drafts[i] ?? [];
    try {
      const ends = requireUsableMemories(inTx, link, known);
      requireNotExisting(records, triples);
      requireRelationshipQuota(link, records.length, degrees);
      made.push(...records);
      for (const record of records) triples.set(recordKey(record), record.id);
      return publishLink(inTx, ends, records, now);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
  await insertRelationships(tx, made);
  return outcomes;
}

const recordKey = (one: { source_id: string; target_id: string; type: string }): string =>
  tripleKey(one.source_id, one.target_id, one.type);

/** The row of a link, and that of the other half. */
function buildRecords(
  { actor, ids }: TxCtx,
  { sourceId, type, body }: LinkDraft,
  known: ReadonlyMap<string, LinkTarget>,
  now: Date,
): RelationshipRecord[] {
  const inverse = body.bidirectional ? inverseType(type) : null;
  const [id, inverseId] = [ids.uuid(), inverse === null ? null : ids.uuid()];
  const record: RelationshipRecord = {
    account_id: actor.accountId,
    id,
    source_id: sourceId,
    target_id: body.target_id,
    type,
    inverse_id: inverseId,
    description: body.description ?? null,
    weight: body.weight ?? body.strength ?? 1,
    weight_set_at: now,
    decay_rate: body.decay_rate,
    pinned_ends: [sourceId, body.target_id].filter((end) => known.get(end)?.is_pinned).length,
    usage_count: 0,
    last_reinforced_at: null,
    rules: body.rules ?? {},
    metadata: body.metadata ?? {},
    created_at: now,
    updated_at: now,
  };
  if (inverse === null || inverseId === null) return [record];
  const turned = { source_id: body.target_id, target_id: sourceId, type: inverse };
  return [record, { ...record, ...turned, id: inverseId, inverse_id: id }];
}

/** What is missing is told before what is forbidden, and that before what is deleted. */
function requireUsableMemories(
  { actor }: TxCtx,
  { sourceId, body }: LinkDraft,
  known: ReadonlyMap<string, LinkTarget>,
): LinkedMemories {
  const find = (id: string): LinkTarget => {
    const end = known.get(id);
    if (end) return end;
    throw new AppError('memory_not_found', { details: { memory_id: id } });
  };
  const ends = { source: find(sourceId), target: find(body.target_id) };
  for (const { space_id } of [ends.source, ends.target]) requireSpaceAccess(actor, space_id);
  for (const { id, deleted_at } of [ends.source, ends.target]) {
    if (deleted_at === null) continue;
    throw new AppError('conflict', {
      message: 'The memory is deleted; restore it first.',
      details: { memory_id: id },
    });
  }
  return ends;
}

function requireNotExisting(
  records: readonly RelationshipRecord[],
  triples: ReadonlyMap<string, string>,
): void {
  for (const record of records) {
    const id = triples.get(recordKey(record));
    if (id === undefined) continue;
    throw new AppError('relationship_exists', { details: { relationship_id: id } });
  }
}

/** Counts the new ones in, at both memories. */
function requireRelationshipQuota(
  { sourceId, body }: LinkDraft,
  count: number,
  degrees: Map<string, number>,
): void {
  const limit = limits.relationshipsPerMemoryMax;
  const both = [sourceId, body.target_id];
  for (const id of both) {
    const used = degrees.get(id) ?? 0;
    if (used + count <= limit) continue;
    throw new AppError('quota_exceeded', {
      message: `A memory has at most ${limit} relationships, in both directions together.`,
      details: { quota: 'relationships_per_memory', limit, used, memory_id: id },
    });
  }
  for (const id of both) degrees.set(id, (degrees.get(id) ?? 0) + count);
}

function publishLink(
  inTx: TxCtx,
  { source, target }: LinkedMemories,
  [record, other]: readonly RelationshipRecord[],
  now: Date,
): CreatedRelationship {
  const made = presentRelationship(record as RelationshipRecord, now);
  publishRelationshipCreated(inTx, { source, target }, made);
  if (!other) return made;
  const turned = { source: target, target: source };
  const inverse = presentRelationship(other, now);
  publishRelationshipCreated(inTx, turned, inverse);
  const { id, source_id, target_id, type, strength } = inverse;
  return { ...made, inverse_relationship: { id, source_id, target_id, type, strength } };
}
