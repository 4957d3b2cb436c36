import { defineRoute } from '../route.ts';
import {
  sampleEntity,
  sampleFact,
  sampleMemory,
  sampleOrganization,
  sampleTimestamp,
} from '../samples.ts';
import * as s from '../schemas/knowledge.ts';

const read = { access: 'knowledge:read' } as const;
const write = { access: 'knowledge:write' } as const;

/** What every route that reaches one entity shares. */
const entityRoute = { params: s.entityParams, notFound: 'not_found' } as const;
const params = { id: sampleEntity.id };
const spaceErrors = ['space_access_denied'] as const;
const scopedErrors = ['space_access_denied', 'space_not_found'] as const;

const toListedEntity = ({
  id,
  name,
  type,
  created_at,
}: typeof sampleEntity | typeof sampleOrganization) => ({
  id,
  name,
  type,
  created_at,
});
const person = toListedEntity(sampleEntity);
const organization = toListedEntity(sampleOrganization);
const relationship = {
  id: sampleFact.id,
  direction: 'outgoing' as const,
  target_entity_id: sampleOrganization.id,
  target_name: sampleOrganization.name,
  target_type: sampleOrganization.type,
  relationship_type: sampleFact.predicate,
  weight: sampleFact.confidence,
  valid_from: sampleFact.valid_from,
  valid_to: sampleFact.valid_to,
};
const edge = {
  id: sampleFact.id,
  source_id: sampleEntity.id,
  target_id: sampleOrganization.id,
  relationship_type: sampleFact.predicate,
  weight: sampleFact.confidence,
};
const page = { total: 1, limit: 100, offset: 0, has_more: false };

const merge = {
  method: 'POST',
  ...write,
  body: s.mergeEntitiesBody,
  responses: { 200: s.mergeEntitiesResponse },
  idempotent: true,
  endpointLimit: 'entities.merge',
  errors: ['not_found', 'conflict', ...scopedErrors],
  example: {
    body: { source_id: sampleOrganization.id, target_id: sampleEntity.id, force: true },
    response: { merged: true, target_id: sampleEntity.id, source_id: sampleOrganization.id },
  },
} as const;

export const knowledgeRoutes = {
  entities: defineRoute({
    id: 'knowledge.entities',
    method: 'GET',
    path: '/knowledge/entities',
    summary: 'List entities, by name',
    ...read,
    query: s.entitiesQuery,
    responses: { 200: s.entityList },
    errors: scopedErrors,
    example: { query: { type: 'person' }, response: { entities: [person], ...page } },
  }),
  count: defineRoute({
    id: 'knowledge.count',
    method: 'GET',
    path: '/knowledge/entities/count',
    summary: 'Count the entities of a category',
    ...read,
    query: s.entityCountQuery,
    responses: { 200: s.entityCount },
    errors: scopedErrors,
    example: {
      query: { countable_category: 'people' },
      response: { countable_category: 'people', count: 1, time_start: null, time_end: null },
    },
  }),
  atTime: defineRoute({
    id: 'knowledge.atTime',
    method: 'GET',
    path: '/knowledge/entities/at-time',
    summary: 'Entities that were there at a time',
    description:
      'Two time lines: as_of is when it was so in the world, known_at when the service knew it. ' +
      'An entity is there from the first time that a memory or a fact speaks of.',
    ...read,
    query: s.entitiesAtTimeQuery,
    responses: { 200: s.entitiesAtTime },
    errors: scopedErrors,
    example: {
      query: { type: 'person' },
      response: { as_of: sampleTimestamp, known_at: sampleTimestamp, entities: [person], total: 1 },
    },
  }),
  get: defineRoute({
    id: 'knowledge.get',
    method: 'GET',
    path: '/knowledge/entities/:id',
    summary: 'Read an entity with its relationships and facts',
    description:
      'The id of an entity that was merged gives the one it was merged into. At most 200 facts ' +
      'and relationships are shown; their own lists have them all, page by page.',
    ...read,
    ...entityRoute,
    responses: { 200: s.entityDetail },
    errors: spaceErrors,
    example: {
      params,
      response: {
        ...sampleEntity,
        relationship_count: 1,
        fact_count: 1,
        entity: { ...sampleEntity, relationship_count: 1, fact_count: 1 },
        relationships: [relationship],
        facts: [sampleFact],
      },
    },
  }),
  timeline: defineRoute({
    id: 'knowledge.timeline',
    method: 'GET',
    path: '/knowledge/entities/:id/timeline',
    summary: 'What became known of an entity, oldest first',
    ...read,
    ...entityRoute,
    query: s.entityTimelineQuery,
    responses: { 200: s.entityTimeline },
    errors: spaceErrors,
    example: {
      params,
      response: {
        entity_id: sampleEntity.id,
        entries: [
          { at: sampleTimestamp, kind: 'entity_created', detail: sampleEntity.name },
          {
            at: sampleTimestamp,
            kind: 'fact_added',
            fact: sampleFact,
            detail: sampleFact.statement,
          },
        ],
        total: 2,
      },
    },
  }),
  relationships: defineRoute({
    id: 'knowledge.relationships',
    method: 'GET',
    path: '/knowledge/entities/:id/relationships',
    summary: 'List the relationships of an entity that hold now',
    ...read,
    ...entityRoute,
    query: s.entityRelationshipsQuery,
    responses: { 200: s.entityRelationships },
    errors: spaceErrors,
    example: {
      params,
      query: { direction: 'outgoing' },
      response: { entity_id: sampleEntity.id, relationships: [relationship], total: 1 },
    },
  }),
  facts: defineRoute({
    id: 'knowledge.facts',
    method: 'GET',
    path: '/knowledge/entities/:id/facts',
    summary: 'List the facts about an entity, newest first',
    ...read,
    ...entityRoute,
    query: s.factsQuery,
    responses: { 200: s.entityFacts },
    errors: spaceErrors,
    example: {
      params,
      query: { limit: 10 },
      response: { entity_id: sampleEntity.id, facts: [sampleFact], total: 1 },
    },
  }),
  create: defineRoute({
    id: 'knowledge.create',
    method: 'POST',
    path: '/knowledge/entities',
    summary: 'Add an entity by hand',
    description: 'Where its name is known in the space already, that entity is 409 conflict.',
    ...write,
    body: s.createEntityBody,
    responses: { 201: s.entity },
    idempotent: true,
    errors: ['conflict', ...scopedErrors],
    example: {
      body: { name: sampleEntity.name, type: sampleEntity.type, aliases: sampleEntity.aliases },
      response: sampleEntity,
    },
  }),
  update: defineRoute({
    id: 'knowledge.update',
    method: 'PATCH',
    path: '/knowledge/entities/:id',
    summary: 'Correct the name, type or aliases of an entity',
    ...write,
    ...entityRoute,
    body: s.patchEntityBody,
    responses: { 200: s.entity },
    errors: ['conflict', ...spaceErrors],
    example: { params, body: { aliases: sampleEntity.aliases }, response: sampleEntity },
  }),
  createFact: defineRoute({
    id: 'knowledge.createFact',
    method: 'POST',
    path: '/knowledge/facts',
    summary: 'Add or correct a fact by hand',
    ...write,
    body: s.createFactBody,
    responses: { 201: s.fact },
    idempotent: true,
    errors: ['not_found', 'memory_not_found', 'conflict', ...spaceErrors],
    example: {
      body: {
        subject_id: sampleEntity.id,
        predicate: sampleFact.predicate,
        object_id: sampleOrganization.id,
        valid_from: sampleFact.valid_from,
        source_memory_id: sampleMemory.id,
      },
      response: { ...sampleFact, confidence: 1 },
    },
  }),
  removeFact: defineRoute({
    id: 'knowledge.removeFact',
    method: 'DELETE',
    path: '/knowledge/facts/:id',
    summary: 'Believe a fact no longer; it stays in the history',
    ...write,
    params: s.factParams,
    notFound: 'not_found',
    responses: { 200: s.fact },
    errors: ['conflict', ...spaceErrors],
    example: {
      params: { id: sampleFact.id },
      response: { ...sampleFact, invalidated_at: sampleTimestamp },
    },
  }),
  extract: defineRoute({
    id: 'knowledge.extract',
    method: 'POST',
    path: '/knowledge/extract',
    summary: 'Extract the entities and facts of a memory now',
    description: 'Happens by itself after a create or a change; here it is waited for.',
    ...write,
    body: s.extractMemoryBody,
    responses: { 200: s.extractMemoryResponse },
    errors: ['memory_not_found', 'conflict', ...spaceErrors],
    example: {
      body: { memory_id: sampleMemory.id },
      response: {
        memory_id: sampleMemory.id,
        model: 'local',
        entities: [{ ...person, confidence: 0.9 }],
        facts: [],
      },
    },
  }),
  merge: defineRoute({
    ...merge,
    id: 'knowledge.merge',
    path: '/knowledge/entities/merge',
    summary: 'Merge an entity into another, for good',
    description:
      'The target takes over names, relationships and facts; the id of the source goes on to ' +
      'resolve to it. Types must be equal, or force true.',
  }),
  mergeEntities: defineRoute({
    ...merge,
    id: 'knowledge.mergeEntities',
    path: '/entities/merge',
    summary: 'The same as POST /knowledge/entities/merge',
  }),
  subgraph: defineRoute({
    id: 'knowledge.subgraph',
    method: 'GET',
    path: '/knowledge/graph/subgraph/:entityId',
    summary: 'The neighbourhood of an entity',
    description: 'At most 500 nodes, the nearest first.',
    ...read,
    params: s.subgraphParams,
    notFound: 'not_found',
    query: s.subgraphQuery,
    responses: { 200: s.subgraph },
    errors: spaceErrors,
    example: {
      params: { entityId: sampleEntity.id },
      query: { hops: 1 },
      response: {
        root: sampleEntity.id,
        nodes: [
          { ...person, hops: 0 },
          { ...organization, hops: 1 },
        ],
        edges: [edge],
        truncated: false,
      },
    },
  }),
  path: defineRoute({
    id: 'knowledge.path',
    method: 'GET',
    path: '/knowledge/graph/path',
    summary: 'The shortest path between two entities',
    description: 'Along relationships that hold now, in either direction.',
    ...read,
    query: s.entityPathQuery,
    responses: { 200: s.entityPath },
    errors: ['not_found', ...spaceErrors],
    example: {
      query: { from: sampleEntity.id, to: sampleOrganization.id },
      response: {
        from: sampleEntity.id,
        to: sampleOrganization.id,
        length: 1,
        nodes: [person, organization],
        edges: [edge],
      },
    },
  }),
} as const;
