import type { ActivationReport, Answer, Checked, routes } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { type Ctx, requireSpace, visibleSpaces } from '../ctx.ts';
import { requireUsableSpace } from '../spaces/index.ts';
import { categoryOf } from './category.ts';
import {
  type EntityRecord,
  presentEntity,
  presentFact,
  presentListed,
  type ReadFact,
} from './model.ts';
import { findEntities } from './store/entities.ts';
import {
  aliasesOf,
  type FactFilter,
  findResolved,
  isSeen,
  listEntities,
  listFacts,
  mostSpoken,
  type Seen,
} from './store/read.ts';
import { countNamed, entitiesAt, entityTimeline } from './store/times.ts';

type Query<R extends keyof typeof routes.knowledge> = Checked<
  (typeof routes.knowledge)[R]
>['query'];
type Shown<R extends keyof typeof routes.knowledge> = Answer<(typeof routes.knowledge)[R]>;

const shownMax = 200;

export const seenBy = ({ actor }: Ctx): Seen => ({
  accountId: actor.accountId,
  visible: visibleSpaces(actor),
});

async function requireNamedSpace(ctx: Ctx, spaceId: string | null | undefined): Promise<void> {
  if (spaceId !== undefined) await requireUsableSpace(ctx, spaceId);
}

/**
 * An entity by its id or by the id of one that was merged into it, until `knownAt` or until now.
 * Throws 404 not_found, 403 space_access_denied.
 */
export async function knownEntity(
  ctx: Ctx,
  id: string,
  knownAt: Date = ctx.clock.now(),
): Promise<{ record: EntityRecord; mergedFrom: string | null }> {
  const { db } = ctx.engine;
  const record = await findResolved(db, ctx.actor.accountId, id, knownAt);
  if (!record) throw new AppError('not_found');
  requireSpace(ctx.actor, record.space_id);
  if (!(await isSeen(db, seenBy(ctx), record.id))) throw new AppError('not_found');
  return { record, mergedFrom: record.id === id ? null : id };
}

export async function readEntities(ctx: Ctx, query: Query<'entities'>): Promise<Shown<'entities'>> {
  await requireNamedSpace(ctx, query.space_id);
  const { limit, offset } = query;
  const { records, total } = await listEntities(
    ctx.engine.db,
    seenBy(ctx),
    { spaceId: query.space_id, type: query.type, part: query.q?.toLowerCase() },
    { limit, offset },
  );
  const hasMore = offset + records.length < total;
  return { entities: records.map(presentListed), total, limit, offset, has_more: hasMore };
}

export async function countEntities(ctx: Ctx, query: Query<'count'>): Promise<Shown<'count'>> {
  await requireNamedSpace(ctx, query.space_id);
  const { countable_category, time_start, time_end } = query;
  const count = await countNamed(ctx.engine.db, seenBy(ctx), {
    ...categoryOf(countable_category),
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

export async function readAtTime(ctx: Ctx, query: Query<'atTime'>): Promise<Shown<'atTime'>> {
  await requireNamedSpace(ctx, query.space_id);
  const now = ctx.clock.now();
  const { as_of: asOf = now, known_at: knownAt = now, limit, offset } = query;
  const { records, total } = await entitiesAt(
    ctx.engine.db,
    seenBy(ctx),
    { asOf, knownAt, spaceId: query.space_id, type: query.type },
    { limit, offset },
  );
  return {
    as_of: asOf.toISOString(),
    known_at: knownAt.toISOString(),
    entities: records.map(presentListed),
    total,
  };
}

/** The entity with what holds of it now: at most 200 facts and relationships of each. */
export async function readEntity(ctx: Ctx, id: string): Promise<Shown<'get'>> {
  const { record, mergedFrom } = await knownEntity(ctx, id);
  const now = ctx.clock.now();
  const aliases = await aliasesOf(ctx.engine.db, ctx.actor.accountId, [record.id]);
  const active: FactFilter = { entityIds: [record.id], asOf: now, knownAt: now };
  const cut = { limit: shownMax, offset: 0 };
  const facts = await listFacts(ctx.engine.db, seenBy(ctx), active, cut);
  const linked = { ...active, relationshipsOnly: true };
  const related = await listFacts(ctx.engine.db, seenBy(ctx), linked, cut);
  const entity = {
    ...presentEntity(record, aliases.get(record.id) ?? []),
    relationship_count: related.total,
    fact_count: facts.total,
  };
  return {
    ...entity,
    entity,
    ...(mergedFrom === null ? {} : { merged_from: mergedFrom }),
    relationships: await asRelationships(ctx, record.id, related.facts),
    facts: facts.facts.map(presentFact),
  };
}

export async function readRelationships(
  ctx: Ctx,
  id: string,
  query: Query<'relationships'>,
): Promise<Shown<'relationships'>> {
  const { record } = await knownEntity(ctx, id);
  const now = ctx.clock.now();
  const { facts, total } = await listFacts(
    ctx.engine.db,
    seenBy(ctx),
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
  const relationships = await asRelationships(ctx, record.id, facts);
  return { entity_id: record.id, relationships, total };
}

async function asRelationships(
  ctx: Ctx,
  entityId: string,
  facts: readonly ReadFact[],
): Promise<Shown<'relationships'>['relationships']> {
  const others = facts.map((fact) =>
    fact.subject_id === entityId ? (fact.object_id ?? '') : fact.subject_id,
  );
  const types = await typesOf(ctx, others);
  return facts.map((fact, i) => {
    const isOutgoing = fact.subject_id === entityId;
    const shown = presentFact(fact);
    return {
      id: fact.id,
      direction: isOutgoing ? ('outgoing' as const) : ('incoming' as const),
      target_entity_id: others[i] ?? '',
      target_name: (isOutgoing ? fact.object_name : fact.subject_name) ?? '',
      target_type: types.get(others[i] ?? '') ?? 'concept',
      relationship_type: fact.predicate,
      weight: fact.confidence,
      valid_from: shown.valid_from,
      valid_to: shown.valid_to,
    };
  });
}

async function typesOf(
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
): Promise<Shown<'facts'>> {
  const { record } = await knownEntity(ctx, id, query.known_at);
  const { facts, total } = await listFacts(
    ctx.engine.db,
    seenBy(ctx),
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
): Promise<Shown<'timeline'>> {
  const { record } = await knownEntity(ctx, id);
  const { entries, total } = await entityTimeline(ctx.engine.db, seenBy(ctx), record, query);
  return { entity_id: record.id, entries, total };
}

/** Whom most of these memories speak of. */
export const mostSpokenOf = (
  ctx: Ctx,
  memoryIds: readonly string[],
  limit: number,
): Promise<ActivationReport['entities']> =>
  mostSpoken(ctx.engine.db, seenBy(ctx), memoryIds, limit);
