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

/** Fields of all routes of a single entity. */
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
    summary: 'List the entities known at a point in time',
    description:
      'Bitemporal: as_of is the time in the world, known_at the time of the knowledge of the ' +
      'service. An entity exists from the first time that a memory or fact mentions.',
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
      'The id of a merged entity returns the entity that it was merged into. At most 200 facts ' +
      'and relationships are included; their own lists are paginated and complete.',
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
    summary: 'Read the history of an entity, oldest first',
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
    summary: 'List the current relationships of an entity',
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
    summary: 'Create an entity manually',
    description: 'If the space already has an entity with this name: 409 conflict.',
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
    summary: 'Create or correct a fact manually',
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
    summary: 'Invalidate a fact; it stays in the history',
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
    description:
      'Extraction runs automatically after a create or a change; this request waits for the ' +
      'result.',
    ...write,
    body: s.extractKnowledgeBody,
    responses: { 200: s.extractKnowledgeResponse },
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
    summary: 'Permanently merge an entity into another',
    description:
      'The target receives the names, relationships and facts; the id of the source continues to ' +
      'resolve to the target. The types must be equal, unless force is true.',
  }),
  mergeEntities: defineRoute({
    ...merge,
    id: 'knowledge.mergeEntities',
    path: '/entities/merge',
    summary: 'Alias of POST /knowledge/entities/merge',
    replacedBy: 'POST /knowledge/entities/merge',
  }),
  subgraph: defineRoute({
    id: 'knowledge.subgraph',
    method: 'GET',
    path: '/knowledge/graph/subgraph/:entityId',
    summary: 'Read the neighbourhood of an entity',
    description: 'Returns at most 500 nodes, the nearest first.',
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
    summary: 'Find the shortest path between two entities',
    description: 'Follows current relationships in either direction.',
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
