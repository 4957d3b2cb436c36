import { defineRoute } from '../route.ts';
import { sampleEntity, sampleFact, sampleMemory, sampleOrganization } from '../samples.ts';
import { memoryParams } from '../schemas/memories.ts';
import { memoryKnowledge, neighbourhood, neighbourhoodQuery } from '../schemas/neighbourhood.ts';

const { id, name, type, created_at } = sampleEntity;
const edge = { valid_from: null, valid_to: null };

/** Memories and entities together, as a graph and as what one memory states. */
export const neighbourhoodRoutes = {
  neighbourhood: defineRoute({
    id: 'knowledge.neighbourhood',
    method: 'GET',
    path: '/knowledge/graph/neighbourhood',
    summary: 'Read the memories and entities around a memory or an entity',
    description:
      'Connects memories to the entities that they mention, entities by facts, and memories by ' +
      'relationships. If the limit cuts the graph, it has the nearest nodes, and of equally near ' +
      'ones those with the strongest edge, where a mention counts half; equal requests have ' +
      'equal responses. Relationships are included if the key has `relationships:read`.',
    access: 'knowledge:read',
    requiresContentScope: true,
    query: neighbourhoodQuery,
    responses: { 200: neighbourhood },
    errors: ['not_found', 'memory_not_found', 'space_access_denied'],
    example: {
      query: { entity_id: id },
      response: {
        root: id,
        nodes: [
          { id, type, label: name, hops: 0, hidden_neighbours: 0, created_at },
          {
            id: sampleOrganization.id,
            type: sampleOrganization.type,
            label: sampleOrganization.name,
            hops: 1,
            hidden_neighbours: 0,
            created_at,
          },
          {
            id: sampleMemory.id,
            type: 'memory',
            label: 'Ana Ruiz works at Acme since May 2025.',
            hops: 1,
            hidden_neighbours: 0,
            created_at: sampleMemory.created_at,
          },
        ],
        edges: [
          {
            id: sampleFact.id,
            kind: 'fact',
            source_id: id,
            target_id: sampleOrganization.id,
            relationship_type: sampleFact.predicate,
            weight: sampleFact.confidence,
            valid_from: sampleFact.valid_from,
            valid_to: sampleFact.valid_to,
          },
          {
            ...edge,
            id: null,
            kind: 'mention',
            source_id: sampleMemory.id,
            target_id: id,
            relationship_type: 'mentions',
            weight: 0.9,
          },
        ],
        truncated: false,
      },
    },
  }),
  ofMemory: defineRoute({
    id: 'knowledge.ofMemory',
    method: 'GET',
    path: '/memories/:id/facts',
    summary: 'Read the entities and facts that a memory states',
    description:
      'As they were extracted last; a new memory has none for some seconds. At most 200 facts, ' +
      'the newest first.',
    access: 'knowledge:read',
    params: memoryParams,
    notFound: 'memory_not_found',
    responses: { 200: memoryKnowledge },
    errors: ['space_access_denied'],
    example: {
      params: { id: sampleMemory.id },
      response: {
        memory_id: sampleMemory.id,
        entities: [{ id, name, type, created_at, confidence: 0.9 }],
        facts: [sampleFact],
      },
    },
  }),
} as const;
