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

/** What every route that reaches one relationship by its triple shares. */
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
    summary: 'Link a memory to another',
    description:
      'With bidirectional the other half is made as well, with the inverse type. The weight ' +
      'decays from now on; while one of the two memories is pinned it does not.',
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
    summary: 'Make up to 100 relationships, each on its own',
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
    summary: 'Walk the graph from a memory',
    description:
      'Best score first. A walk takes in at most 500 memories, the nearest, among those equally ' +
      'near the best; each comes with its best path of at most depth relationships.',
    ...read,
    requiresContentScope: true,
    query: s.relatedQuery,
    responses: { 200: s.relatedMemories },
    example: {
      params: memoryParams,
      query: { depth: 2 },
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
    summary: 'Change a relationship; a weight that is set decays anew',
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
    summary: 'Remove a relationship; the other half of a pair stays',
    ...relationshipRoute,
    responses: { 204: null },
    errors: ['space_access_denied'],
    example: { params, response: null },
  }),
  weaken: defineRoute({
    id: 'relationships.weaken',
    method: 'POST',
    path: '/relationships/:sourceId/:targetId/:type/weaken',
    summary: 'Take from the weight, never below 0; of both halves of a pair',
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
    summary: 'Add to the weight and count the use; of both halves of a pair',
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
