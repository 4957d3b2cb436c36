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
import { AppError, toBatchItemError, validationError } from '../../kernel/errors.ts';
import { requireValidItem } from '../../kernel/validate.ts';
import { type Ctx, type TxCtx, withTransaction } from '../ctx.ts';
import { type LinkTarget, lockLinkTargets, requireUsableTargets } from '../memories/index.ts';
import { type LinkedMemories, publishRelationshipCreated, publishSuperseded } from './events.ts';
import {
  findRelationshipTypeError,
  inverseType,
  presentRelationship,
  type RelationshipRecord,
  supersedesType,
  tripleKey,
} from './model.ts';
import {
  countDegrees,
  findRelationshipTriples,
  insertRelationships,
} from './store/relationships.ts';
import { listSuccessionsFrom } from './store/superseding.ts';
import { SuccessionGraph } from './succession-graph.ts';
import { reindexOlderMemories } from './superseded.ts';

/** A validated link to create; only checks that need stored data remain. */
interface LinkDraft {
  readonly sourceId: string;
  readonly type: string;
  readonly body: CreateRelationshipBody;
}

/** As of a relationship that a request creates without them. */
export const linkDefaults = { decay_rate: limits.decayRateDefault, bidirectional: false } as const;

type ItemResult = CreatedRelationship | AppError;

/** The parts of a transaction that creates links. */
export type LinkCtx = Pick<TxCtx, 'tx' | 'journal' | 'ids' | 'clock' | 'actor'>;

/**
 * Links two memories; a bidirectional create inserts both relationships or none. Throws 404
 * memory_not_found, 403 space_access_denied, 409 conflict (a memory is soft-deleted), 409
 * relationship_exists or conflict (a cycle of `supersedes`), 403 quota_exceeded.
 */
export async function createRelationship(
  ctx: Ctx,
  sourceId: string,
  body: CreateRelationshipBody,
): Promise<CreatedRelationship> {
  const link = validateLink(ctx, sourceId, body);
  return withTransaction(ctx, async (inTx) => {
    const [result] = await createRelationships(inTx, [link]);
    if (result === undefined || result instanceof AppError) throw result;
    await reindexOlderMemories(inTx, linksOf([result]));
    return result;
  });
}

/** Creates up to 100 relationships in order, each with its own result. */
export async function createRelationshipBatch(
  ctx: Ctx,
  items: readonly ValidatedItem<BatchRelationshipItem>[],
): Promise<ResponseBody<typeof routes.relationships.batch>> {
  const invalid = new Map<number, AppError>();
  const links: { index: number; link: LinkDraft }[] = [];
  for (const [index, item] of items.entries()) {
    try {
      const { source_id: sourceId, ...body } = requireValidItem(item);
      links.push({ index, link: validateLink(ctx, sourceId, body) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      invalid.set(index, error);
    }
  }
  return withTransaction(ctx, async (inTx) => {
    const failed = new Map(invalid);
    const succeeded: CreatedRelationship[] = [];
    const results = await createRelationships(
      inTx,
      links.map(({ link }) => link),
    );
    for (const [i, result] of results.entries()) {
      if (result instanceof AppError) failed.set(links[i]?.index ?? i, result);
      else succeeded.push(result);
    }
    await reindexOlderMemories(inTx, linksOf(succeeded));
    const ordered = [...failed].sort(([a], [b]) => a - b);
    return {
      succeeded,
      failed: ordered.map(([index, error]) => ({ index, error: toBatchItemError(error) })),
    };
  });
}

/** The links of created relationships, with the other halves of pairs. */
const linksOf = (created: readonly CreatedRelationship[]) =>
  created.flatMap((link) => [
    link,
    ...(link.inverse_relationship ? [link.inverse_relationship] : []),
  ]);

/** Throws 422: a self-link, a type that is not allowed, a pair of a type without an inverse. */
function validateLink(ctx: Ctx, sourceId: string, body: CreateRelationshipBody): LinkDraft {
  const { relationship_type: relationshipType, type: alias } = body;
  const type = relationshipType ?? alias ?? '';
  const errors: Record<string, FieldError> = {};
  if (body.target_id === sourceId) {
    const message = 'must differ from the source memory';
    errors.target_id = { code: 'invalid_format', message };
  }
  const typeError = findRelationshipTypeError(ctx.actor.settings, type);
  if (typeError) errors[relationshipType === undefined ? 'type' : 'relationship_type'] = typeError;
  else if (body.bidirectional && inverseType(type) === null) {
    const message = 'must be false for a custom type, which has no inverse';
    errors.bidirectional = { code: 'invalid_enum_value', message };
  }
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return { sourceId, type, body };
}

/**
 * Creates relationships in order, each with its own result. Locks all memories first, so that
 * concurrent transactions neither count nor link them. The caller reindexes older memories.
 */
export async function createRelationships(
  inTx: LinkCtx,
  links: readonly LinkDraft[],
): Promise<ItemResult[]> {
  if (links.length === 0) return [];
  const { tx, actor } = inTx;
  const now = inTx.clock.now();
  const { accountId } = actor;
  const ids = [...new Set(links.flatMap(({ sourceId, body }) => [sourceId, body.target_id]))];
  const targetsById = new Map(
    (await lockLinkTargets(tx, accountId, ids)).map((target) => [target.id, target]),
  );
  const drafts = links.map((link) => buildRecords(inTx, link, targetsById, now));
  const existing = await findRelationshipTriples(tx, accountId, drafts.flat());
  const triples = new Map(existing.map((record) => [recordKey(record), record.id]));
  // Exact counts only for memories near enough to the limit that these links could reach it.
  const exactFrom = limits.relationshipsPerMemoryMax - 2 * links.length;
  const degrees = await countDegrees(tx, accountId, ids, exactFrom);
  const successions = await readSuccessionGraph(inTx, links);
  const inserted: RelationshipRecord[] = [];
  const results = links.map((link, i): ItemResult => {
    const records = drafts[i] ?? [];
    try {
      const memories = requireUsableMemories(inTx, link, targetsById);
      requireNotExisting(records, triples);
      const ends = [link.sourceId, link.body.target_id] as const;
      const edge = { newerId: ends[0], olderId: ends[1] };
      const isSuccession = link.type === supersedesType;
      if (isSuccession) successions.requireNoCycle(edge);
      requireRelationshipQuota(ends, records.length, degrees);
      if (isSuccession) successions.add(edge);
      inserted.push(...records);
      for (const record of records) triples.set(recordKey(record), record.id);
      return publishLink(inTx, memories, records, now);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  });
  await insertRelationships(tx, accountId, inserted);
  return results;
}

/** All that an older memory of these links supersedes. */
async function readSuccessionGraph(
  { tx, actor }: LinkCtx,
  links: readonly LinkDraft[],
): Promise<SuccessionGraph> {
  const olderIds = links
    .filter(({ type }) => type === supersedesType)
    .map(({ body }) => body.target_id);
  return new SuccessionGraph(await listSuccessionsFrom(tx, actor.accountId, olderIds));
}

const recordKey = (triple: { source_id: string; target_id: string; type: string }): string =>
  tripleKey(triple.source_id, triple.target_id, triple.type);

/** The records of a link: its own and, for a bidirectional one, the inverse. */
function buildRecords(
  { actor, ids }: LinkCtx,
  { sourceId, type, body }: LinkDraft,
  targetsById: ReadonlyMap<string, LinkTarget>,
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
    pinned_memory_count: [sourceId, body.target_id].filter((end) => targetsById.get(end)?.is_pinned)
      .length,
    usage_count: 0,
    last_reinforced_at: null,
    rules: body.rules ?? {},
    metadata: body.metadata ?? {},
    created_at: now,
    updated_at: now,
  };
  if (inverse === null || inverseId === null) return [record];
  const reversed = { source_id: body.target_id, target_id: sourceId, type: inverse };
  return [record, { ...record, ...reversed, id: inverseId, inverse_id: id }];
}

function requireUsableMemories(
  { actor }: Pick<LinkCtx, 'actor'>,
  { sourceId, body }: LinkDraft,
  targetsById: ReadonlyMap<string, LinkTarget>,
): LinkedMemories {
  const [source, target] = requireUsableTargets(actor, [sourceId, body.target_id], targetsById);
  return { source: source as LinkTarget, target: target as LinkTarget };
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

/** Throws 403 quota_exceeded; otherwise counts the new relationships at both memories. */
export function requireRelationshipQuota(
  both: readonly [sourceId: string, targetId: string],
  count: number,
  degrees: Map<string, number>,
): void {
  const limit = limits.relationshipsPerMemoryMax;
  for (const id of both) {
    const used = degrees.get(id) ?? 0;
    if (used + count <= limit) continue;
    throw new AppError('quota_exceeded', {
      message: `A memory can have at most ${limit} relationships, incoming and outgoing.`,
      details: { quota: 'relationships_per_memory', limit, used, memory_id: id },
    });
  }
  for (const id of both) degrees.set(id, (degrees.get(id) ?? 0) + count);
}

function publishLink(
  inTx: LinkCtx,
  { source, target }: LinkedMemories,
  [record, other]: readonly RelationshipRecord[],
  now: Date,
): CreatedRelationship {
  const created = presentRelationship(record as RelationshipRecord, now);
  publishRelationshipCreated(inTx, { source, target }, created);
  if (created.type === supersedesType) publishSuperseded(inTx, { source, target });
  if (!other) return created;
  const reversed = { source: target, target: source };
  const inverse = presentRelationship(other, now);
  publishRelationshipCreated(inTx, reversed, inverse);
  const { id, source_id, target_id, type, strength } = inverse;
  return { ...created, inverse_relationship: { id, source_id, target_id, type, strength } };
}
