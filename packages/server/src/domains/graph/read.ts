import type { ActivationReport, ResponseBody, routes, ValidatedRequest } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpaceAccess, visibleSpaces } from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { graphViewOf } from './caller-view.ts';
import { parseEntityCategory } from './entity-category.ts';
import type { GraphView } from './graph-view.ts';
import {
  type EntityRecord,
  type FactDetails,
  presentEntity,
  presentEntitySummary,
  presentFact,
} from './model.ts';
import { type FactFilter, findMostMentioned } from './store/read.ts';

type Query<R extends keyof typeof routes.knowledge> = ValidatedRequest<
  (typeof routes.knowledge)[R]
>['query'];
type ResponseOf<R extends keyof typeof routes.knowledge> = ResponseBody<
  (typeof routes.knowledge)[R]
>;

const entityFactsMax = 200;

async function requireSpaceIfGiven(ctx: Ctx, spaceId: string | null | undefined): Promise<void> {
  if (spaceId !== undefined) await requireUsableSpace(ctx, spaceId);
}

/**
 * An entity by its id or by the id of one that was merged into it, until `knownAt` or until now.
 * Throws 404 not_found, 403 space_access_denied.
 */
export async function requireEntity(
  { actor, clock }: Ctx,
  view: GraphView,
  id: string,
  knownAt: Date = clock.now(),
): Promise<{ record: EntityRecord; mergedFrom: string | null }> {
  const record = await view.findEntity(id, knownAt);
  if (!record) throw new AppError('not_found');
  requireSpaceAccess(actor, record.space_id);
  return { record, mergedFrom: record.id === id ? null : id };
}

export async function readEntities(
  ctx: Ctx,
  query: Query<'entities'>,
): Promise<ResponseOf<'entities'>> {
  await requireSpaceIfGiven(ctx, query.space_id);
  const { limit, offset } = query;
  const { records, total } = await graphViewOf(ctx, query).listEntities(
    { spaceId: query.space_id, type: query.type, nameContains: query.q?.toLowerCase() },
    { limit, offset },
  );
  const hasMore = offset + records.length < total;
  return { entities: records.map(presentEntitySummary), total, limit, offset, has_more: hasMore };
}

export async function countEntities(ctx: Ctx, query: Query<'count'>): Promise<ResponseOf<'count'>> {
  await requireSpaceIfGiven(ctx, query.space_id);
  const { countable_category, time_start, time_end } = query;
  const count = await graphViewOf(ctx, query).countByCategory({
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
  const { records, total } = await graphViewOf(ctx, query).listEntitiesAt(
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
  const view = graphViewOf(ctx);
  const { record, mergedFrom } = await requireEntity(ctx, view, id);
  const now = ctx.clock.now();
  const active: FactFilter = { entityIds: [record.id], asOf: now, knownAt: now };
  const cut = { limit: entityFactsMax, offset: 0 };
  const facts = await view.listFacts(active, cut);
  const linked = { ...active, relationshipsOnly: true };
  const related = await view.listFacts(linked, cut);
  const entity = {
    ...presentEntity(record, await view.listAliases(record)),
    relationship_count: related.total,
    fact_count: facts.total,
  };
  return {
    ...entity,
    entity,
    ...(mergedFrom === null ? {} : { merged_from: mergedFrom }),
    relationships: await toRelationships(view, record.id, related.facts),
    facts: facts.facts.map(presentFact),
  };
}

export async function readRelationships(
  ctx: Ctx,
  id: string,
  query: Query<'relationships'>,
): Promise<ResponseOf<'relationships'>> {
  const view = graphViewOf(ctx, query);
  const { record } = await requireEntity(ctx, view, id);
  const now = ctx.clock.now();
  const { facts, total } = await view.listFacts(
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
  const relationships = await toRelationships(view, record.id, facts);
  return { entity_id: record.id, relationships, total };
}

async function toRelationships(
  view: GraphView,
  entityId: string,
  facts: readonly FactDetails[],
): Promise<ResponseOf<'relationships'>['relationships']> {
  const others = facts.map((fact) =>
    fact.subject_id === entityId ? (fact.object_id ?? '') : fact.subject_id,
  );
  const types = new Map((await view.findEntities(others)).map(({ id, type }) => [id, type]));
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

export async function readFacts(
  ctx: Ctx,
  id: string,
  query: Query<'facts'>,
): Promise<ResponseOf<'facts'>> {
  const view = graphViewOf(ctx, query);
  const { record } = await requireEntity(ctx, view, id, query.known_at);
  const { facts, total } = await view.listFacts(
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
  const view = graphViewOf(ctx, query);
  const { record } = await requireEntity(ctx, view, id);
  const { entries, total } = await view.readTimeline(record, query);
  return { entity_id: record.id, entries, total };
}

/** The entities that most of these memories mention. */
export const mostMentionedEntities = (
  ctx: Ctx,
  memoryIds: readonly string[],
  limit: number,
): Promise<ActivationReport['entities']> =>
  findMostMentioned(
    ctx.engine.db,
    { accountId: ctx.actor.accountId, visible: visibleSpaces(ctx.actor) },
    memoryIds,
    limit,
  );
