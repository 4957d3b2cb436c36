import { defineRoute } from '../route.ts';
import { sampleOtherMemory, sampleRelationship, sampleTimestamp } from '../samples.ts';
import * as s from '../schemas/relationships.ts';

const { source_id: sourceId, target_id: targetId, type } = sampleRelationship;
const memoryParams = { memoryId: sourceId };

const read = {
  access: 'relationships:read',
  params: s.relationshipMemoryParams,
  notFound: 'memory_not_found',
  errors: ['space_access_denied'],
} as const;

/** Fields of all routes of a single relationship. */
const relationshipRoute = {
  access: 'relationships:write',
  params: s.relationshipTripleParams,
  notFound: 'relationship_not_found',
} as const;
const params = { sourceId, targetId, type };
const relationshipErrors = ['space_access_denied', 'conflict'] as const;

export const relationshipRoutes = {
  create: defineRoute({
    id: 'relationships.create',
    method: 'POST',
    path: '/relationships/:memoryId',
    summary: 'Create a relationship from a memory to another',
    description:
      'bidirectional also creates the inverse relationship, with the inverse type. The weight ' +
      'starts to decay immediately, except while one of the two memories is pinned.',
    access: 'relationships:write',
    params: s.relationshipMemoryParams,
    notFound: 'memory_not_found',
    body: s.createRelationshipBody,
    responses: { 201: s.createdRelationship },
    idempotent: true,
    errors: ['space_access_denied', 'conflict', 'relationship_exists', 'quota_exceeded'],
    example: {
      params: memoryParams,
      body: { target_id: targetId, relationship_type: type, weight: 0.8 },
      response: sampleRelationship,
    },
  }),
  batch: defineRoute({
    id: 'relationships.batch',
    method: 'POST',
    path: '/relationships/batch',
    summary: 'Create up to 100 relationships, each separately',
    access: 'relationships:write',
    body: s.batchRelationshipsBody,
    responses: { 201: s.batchRelationshipsResponse },
    idempotent: true,
    errors: [],
    example: {
      body: {
        relationships: [
          { source_id: sourceId, target_id: targetId, relationship_type: type, weight: 0.8 },
        ],
      },
      response: { succeeded: [sampleRelationship], failed: [] },
    },
  }),
  list: defineRoute({
    id: 'relationships.list',
    method: 'GET',
    path: '/relationships/:memoryId',
    summary: 'List the relationships of a memory, newest first',
    ...read,
    query: s.relationshipsQuery,
    responses: { 200: s.relationshipList },
    example: {
      params: memoryParams,
      query: { direction: 'outgoing' },
      response: { memory_id: sourceId, outgoing: [sampleRelationship], total: 1 },
    },
  }),
  related: defineRoute({
    id: 'relationships.related',
    method: 'GET',
    path: '/relationships/:memoryId/related',
    summary: 'Find related memories by traversing the graph',
    description:
      'Highest score first. A traversal visits at most 500 memories: the nearest, and among ' +
      'equally near ones those with the highest score. Each is returned with its best path of at ' +
      'most depth relationships.',
    ...read,
    requiresContentScope: true,
    query: s.relatedQuery,
    responses: { 200: s.relatedMemories },
    example: {
      params: memoryParams,
      query: { hops: 2 },
      response: {
        memory_id: sourceId,
        depth: 2,
        memories: [
          {
            memory: sampleOtherMemory,
            depth: 1,
            path: [sampleRelationship.id],
            score: sampleRelationship.strength,
          },
        ],
        relationships: [sampleRelationship],
        truncated: false,
      },
    },
  }),
  update: defineRoute({
    id: 'relationships.update',
    method: 'PATCH',
    path: '/relationships/:sourceId/:targetId/:type',
    summary: 'Change a relationship; a new weight restarts the decay',
    ...relationshipRoute,
    body: s.patchRelationshipBody,
    responses: { 200: s.relationship },
    errors: relationshipErrors,
    example: { params, body: { weight: 0.8 }, response: sampleRelationship },
  }),
  remove: defineRoute({
    id: 'relationships.remove',
    method: 'DELETE',
    path: '/relationships/:sourceId/:targetId/:type',
    summary: 'Delete a relationship; its inverse stays',
    ...relationshipRoute,
    responses: { 204: null },
    errors: ['space_access_denied'],
    example: { params, response: null },
  }),
  weaken: defineRoute({
    id: 'relationships.weaken',
    method: 'POST',
    path: '/relationships/:sourceId/:targetId/:type/weaken',
    summary: 'Decrease the weight of a relationship and its inverse, not below 0',
    ...relationshipRoute,
    body: s.adjustWeightBody,
    bodyOptional: true,
    responses: { 200: s.relationship },
    errors: relationshipErrors,
    example: {
      params,
      body: { amount: 0.1 },
      response: { ...sampleRelationship, weight: 0.7, strength: 0.7 },
    },
  }),
  reinforce: defineRoute({
    id: 'relationships.reinforce',
    method: 'POST',
    path: '/relationships/:sourceId/:targetId/:type/reinforce',
    summary: 'Increase the weight of a relationship and its inverse, and count the use',
    ...relationshipRoute,
    body: s.adjustWeightBody,
    bodyOptional: true,
    responses: { 200: s.relationship },
    errors: relationshipErrors,
    example: {
      params,
      body: { amount: 0.1 },
      response: {
        ...sampleRelationship,
        weight: 0.9,
        strength: 0.9,
        usage_count: 1,
        reinforcement_count: 1,
        last_reinforced_at: sampleTimestamp,
      },
    },
  }),
} as const;
