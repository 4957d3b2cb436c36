import { defineRoute } from '../route.ts';
import { sampleMemory, sampleTimestamp } from '../samples.ts';
import * as s from '../schemas/enrichment.ts';
import { memoryParams } from '../schemas/memories.ts';

/** What every route that reaches one memory shares. */
const memoryRoute = { params: memoryParams, notFound: 'memory_not_found' } as const;
const params = { id: sampleMemory.id };
const topics = [{ name: 'Ana', relevance: 0.55, category: 'entity' as const }];
const factors = { specificity: 0.6, clarity: 0.9, actionability: 0.5 };

export const enrichmentRoutes = {
  topics: defineRoute({
    id: 'memories.topics',
    method: 'GET',
    path: '/memories/:id/topics',
    summary: 'What a memory is about',
    description: 'Kept until its content changes; refresh=true makes them anew.',
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
    summary: 'Make topics, a summary, entities or a quality score of a memory',
    description:
      'Waits for up to 30 s; what takes longer, or is sent with `Prefer: respond-async`, goes on ' +
      'as a job (202). What was made of the same content by the same model is not made again. ' +
      'Completion is told as memory.updated with changes ["enrichment"].',
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
    summary: 'How good a memory is to keep',
    description:
      'The score is the weighted mean of specificity (.3), clarity (.25), actionability (.2) and ' +
      'uniqueness (.25); recalculate=true makes it anew.',
    ...memoryRoute,
    access: 'memories:read',
    query: s.memoryQualityQuery,
    responses: { 200: s.memoryQuality },
    errors: ['space_access_denied'],
    example: {
      params,
      query: { recalculate: true },
      response: {
        memory_id: sampleMemory.id,
        quality_score: 0.755,
        factors: { ...factors, uniqueness: 1 },
        calculated_at: sampleTimestamp,
      },
    },
  }),
} as const;
