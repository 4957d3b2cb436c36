import type { ActivationReport, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpaceAccess, visibleSpaces } from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { parseEntityCategory } from './entity-category.ts';
import {
  type EntityRecord,
  type FactDetails,
  presentEntity,
  presentEntitySummary,
  presentFact,
} from './model.ts';
import { findEntities } from './store/entities.ts';
import {
  aliasesOf,
  type FactFilter,
  findMostMentioned,
  isEntityVisible,
  listEntities,
  listFacts,
  resolveEntity,
  type Visibility,
} from './store/read.ts';
import { countEntitiesByCategory, entitiesAt, entityTimeline } from './store/temporal-queries.ts';

type Query<R extends keyof typeof routes.knowledge> = ValidatedRequest<
  (typeof routes.knowledge)[R]
>['query'];
type ResponseOf<R extends keyof typeof routes.knowledge> = ResponseBody<
  (typeof routes.knowledge)[R]
>;

const entityFactsMax = 200;

export const visibilityOf = ({ actor }: Ctx): Visibility => ({
  accountId: actor.accountId,
  visible: visibleSpaces(actor),
});

async function requireSpaceIfGiven(ctx: Ctx, spaceId: string | null | undefined): Promise<void> {
  if (spaceId !== undefined) await requireUsableSpace(ctx, spaceId);
}

/**
 * An entity by its id or by the id of one that was merged into it, until `knownAt` or until now.
 * Throws 404 not_found, 403 space_access_denied.
 */
export async function requireEntity(
  ctx: Ctx,
  id: string,
  knownAt: Date = ctx.clock.now(),
): Promise<{ record: EntityRecord; mergedFrom: string | null }> {
  const { db } = ctx.engine;
  const record = await resolveEntity(db, ctx.actor.accountId, id, knownAt);
  if (!record) throw new AppError('not_found');
  requireSpaceAccess(ctx.actor, record.space_id);
  if (!(await isEntityVisible(db, visibilityOf(ctx), record.id))) throw new AppError('not_found');
  return { record, mergedFrom: record.id === id ? null : id };
}

export async function readEntities(
  ctx: Ctx,
  query: Query<'entities'>,
): Promise<ResponseOf<'entities'>> {
  await requireSpaceIfGiven(ctx, query.space_id);
  const { limit, offset } = query;
  const { records, total } = await listEntities(
    ctx.engine.db,
    visibilityOf(ctx),
    { spaceId: query.space_id, type: query.type, nameContains: query.q?.toLowerCase() },
    { limit, offset },
  );
  const hasMore = offset + records.length < total;
  return { entities: records.map(presentEntitySummary), total, limit, offset, has_more: hasMore };
}

export async function countEntities(ctx: Ctx, query: Query<'count'>): Promise<ResponseOf<'count'>> {
  await requireSpaceIfGiven(ctx, query.space_id);
  const { countable_category, time_start, time_end } = query;
  const count = await countEntitiesByCategory(ctx.engine.db, visibilityOf(ctx), {
    ...parseEntityCategory(countable_category),
    spaceId: query.space_id,
    from: time_start,
    to: time_end,
  });
  return {
    countable_category,
    count,
    time_start: time_start?.toISOString() ?? null,
    time_end: time_end?.toISOString() ?? null,
  };
}

export async function listEntitiesAtTime(
  ctx: Ctx,
  query: Query<'atTime'>,
): Promise<ResponseOf<'atTime'>> {
  await requireSpaceIfGiven(ctx, query.space_id);
  const now = ctx.clock.now();
  const { as_of: asOf = now, known_at: knownAt = now, limit, offset } = query;
  const { records, total } = await entitiesAt(
    ctx.engine.db,
    visibilityOf(ctx),
    { asOf, knownAt, spaceId: query.space_id, type: query.type },
    { limit, offset },
  );
  return {
    as_of: asOf.toISOString(),
    known_at: knownAt.toISOString(),
    entities: records.map(presentEntitySummary),
    total,
  };
}

/** The entity with its current facts and relationships: at most 200 of each. */
export async function readEntity(ctx: Ctx, id: string): Promise<ResponseOf<'get'>> {
  const { record, mergedFrom } = await requireEntity(ctx, id);
  const now = ctx.clock.now();
  const aliases = await aliasesOf(ctx.engine.db, ctx.actor.accountId, [record.id]);
  const active: FactFilter = { entityIds: [record.id], asOf: now, knownAt: now };
  const cut = { limit: entityFactsMax, offset: 0 };
  const facts = await listFacts(ctx.engine.db, visibilityOf(ctx), active, cut);
  const linked = { ...active, relationshipsOnly: true };
  const related = await listFacts(ctx.engine.db, visibilityOf(ctx), linked, cut);
  const entity = {
    ...presentEntity(record, aliases.get(record.id) ?? []),
    relationship_count: related.total,
    fact_count: facts.total,
  };
  return {
    ...entity,
    entity,
    ...(mergedFrom === null ? {} : { merged_from: mergedFrom }),
    relationships: await toRelationships(ctx, record.id, related.facts),
    facts: facts.facts.map(presentFact),
  };
}

export async function readRelationships(
  ctx: Ctx,
  id: string,
  query: Query<'relationships'>,
): Promise<ResponseOf<'relationships'>> {
  const { record } = await requireEntity(ctx, id);
  const now = ctx.clock.now();
  const { facts, total } = await listFacts(
    ctx.engine.db,
    visibilityOf(ctx),
    {
      entityIds: [record.id],
      asOf: now,
      knownAt: now,
      relationshipsOnly: true,
      direction: query.direction,
      sessionId: query.session_id,
    },
    { limit: query.limit, offset: query.offset },
  );
  const relationships = await toRelationships(ctx, record.id, facts);
  return { entity_id: record.id, relationships, total };
}

async function toRelationships(
  ctx: Ctx,
  entityId: string,
  facts: readonly FactDetails[],
): Promise<ResponseOf<'relationships'>['relationships']> {
  const others = facts.map((fact) =>
    fact.subject_id === entityId ? (fact.object_id ?? '') : fact.subject_id,
  );
  const types = await findEntityTypes(ctx, others);
  return facts.map((fact, i) => {
    const isOutgoing = fact.subject_id === entityId;
    const visible = presentFact(fact);
    return {
      id: fact.id,
      direction: isOutgoing ? ('outgoing' as const) : ('incoming' as const),
      target_entity_id: others[i] ?? '',
      target_name: (isOutgoing ? fact.object_name : fact.subject_name) ?? '',
      target_type: types.get(others[i] ?? '') ?? 'concept',
      relationship_type: fact.predicate,
      weight: fact.confidence,
      valid_from: visible.valid_from,
      valid_to: visible.valid_to,
    };
  });
}

async function findEntityTypes(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, EntityRecord['type']>> {
  const records = await findEntities(ctx.engine.db, ctx.actor.accountId, ids);
  return new Map(records.map(({ id, type }) => [id, type]));
}

export async function readFacts(
  ctx: Ctx,
  id: string,
  query: Query<'facts'>,
): Promise<ResponseOf<'facts'>> {
  const { record } = await requireEntity(ctx, id, query.known_at);
  const { facts, total } = await listFacts(
    ctx.engine.db,
    visibilityOf(ctx),
    {
      entityIds: [record.id],
      predicate: query.predicate,
      asOf: query.as_of,
      knownAt: query.known_at ?? ctx.clock.now(),
    },
    { limit: query.limit, offset: query.offset },
  );
  return { entity_id: record.id, facts: facts.map(presentFact), total };
}

export async function readTimeline(
  ctx: Ctx,
  id: string,
  query: Query<'timeline'>,
): Promise<ResponseOf<'timeline'>> {
  const { record } = await requireEntity(ctx, id);
  const { entries, total } = await entityTimeline(ctx.engine.db, visibilityOf(ctx), record, query);
  return { entity_id: record.id, entries, total };
}

/** The entities that most of these memories mention. */
export const mostMentionedEntities = (
  ctx: Ctx,
  memoryIds: readonly string[],
  limit: number,
): Promise<ActivationReport['entities']> =>
  findMostMentioned(ctx.engine.db, visibilityOf(ctx), memoryIds, limit);
