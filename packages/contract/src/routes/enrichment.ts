import { defineRoute } from '../route.ts';
import { sampleMemory, sampleTimestamp } from '../samples.ts';
import * as s from '../schemas/enrichment.ts';
import { memoryParams } from '../schemas/memories.ts';

/** Fields of all routes of a single memory. */
const memoryRoute = { params: memoryParams, notFound: 'memory_not_found' } as const;
const params = { id: sampleMemory.id };
const topics = [{ name: 'Ana', relevance: 0.55, category: 'entity' as const }];
const factors = { specificity: 0.6, clarity: 0.9, actionability: 0.5 };

export const enrichmentRoutes = {
  topics: defineRoute({
    id: 'memories.topics',
    method: 'GET',
    path: '/memories/:id/topics',
    summary: 'Read the topics of a memory',
    description: 'Cached until the content changes; refresh=true computes them again.',
    ...memoryRoute,
    access: 'memories:read',
    query: s.memoryTopicsQuery,
    responses: { 200: s.memoryTopics },
    errors: ['space_access_denied'],
    example: {
      params,
      query: { min_relevance: 0.5 },
      response: {
        memory_id: sampleMemory.id,
        topics,
        extracted_at: sampleTimestamp,
        model: 'local',
      },
    },
  }),
  enrich: defineRoute({
    id: 'memories.enrich',
    method: 'POST',
    path: '/memories/:id/enrich',
    summary: 'Create topics, a summary, entities or a quality score of a memory',
    description:
      'Waits for up to 30 s. A longer enrichment, or one with `Prefer: respond-async`, continues ' +
      'as a job (202). Results for the same content and model are reused. Completion emits ' +
      'memory.updated with changes ["enrichment"].',
    ...memoryRoute,
    access: 'memories:write',
    idempotent: true,
    supportsRespondAsync: true,
    body: s.enrichMemoryBody,
    responses: { 200: s.enrichedMemory, 202: s.queuedEnrichment },
    errors: ['space_access_denied', 'conflict'],
    example: {
      params,
      body: { operations: ['topics', 'quality'] },
      response: {
        memory_id: sampleMemory.id,
        enrichments: {
          topics: { success: true, data: topics },
          quality: { success: true, data: { score: 0.755, factors } },
        },
        processed_at: sampleTimestamp,
        model: 'local',
      },
    },
  }),
  quality: defineRoute({
    id: 'memories.quality',
    method: 'GET',
    path: '/memories/:id/quality',
    summary: 'Read the quality score of a memory',
    description:
      'The score is the weighted mean of specificity (0.3), clarity (0.25), actionability (0.2) ' +
      'and uniqueness (0.25). recalculate=true computes it again.',
    ...memoryRoute,
    access: 'memories:read',
    query: s.memoryQualityQuery,
    responses: { 200: s.memoryQuality },
    errors: ['space_access_denied'],
    example: {
      params,
      query: { refresh: true },
      response: {
        memory_id: sampleMemory.id,
        quality_score: 0.755,
        factors: { ...factors, uniqueness: 1 },
        calculated_at: sampleTimestamp,
      },
    },
  }),
} as const;
