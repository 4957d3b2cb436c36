import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleMemory, sampleSearch, sampleSpace } from '../samples.ts';
import * as s from '../schemas/search-variants.ts';

export const searchVariantRoutes = {
  batch: defineRoute({
    id: 'search.batch',
    method: 'POST',
    path: '/search/batch',
    summary: 'Up to 20 searches, each on its own',
    description:
      'A faulty query has its error in its place, and the others are answered. Each one that is ' +
      'answered counts one search; when the quota ends between them, the rest are refused, and ' +
      'the whole request where not one of them could run.',
    access: 'search:read',
    body: s.searchBatchBody,
    bodyBytesMax: limits.searchBatchBodyBytesMax,
    responses: { 200: s.searchBatchResponse },
    errors: ['quota_exceeded'],
    example: {
      body: {
        queries: [
          { q: 'what does Ana drink?', limit: 5 },
          { q: 'tea', space_id: sampleSpace.id },
        ],
      },
      response: {
        results: [
          { query: 'what does Ana drink?', ...sampleSearch },
          {
            query: 'tea',
            error: { code: 'space_not_found', message: 'There is no such space.' },
          },
        ],
      },
    },
  }),
  global: defineRoute({
    id: 'search.global',
    method: 'GET',
    path: '/search/global',
    summary: 'Find whatever holds the words: memories, clusters and spaces',
    description:
      'By words alone; nothing is embedded, and no search is counted. Quotes and -term do as in ' +
      'a search. Every group is there; those not asked for, or whose area the key may not read, ' +
      'are empty.',
    access: 'search:read',
    query: s.globalSearchQuery,
    responses: { 200: s.globalSearchResponse },
    errors: [],
    example: {
      query: { q: 'tea', types: ['memory', 'highlight', 'space'] },
      response: {
        query: 'tea',
        results: {
          memory: sampleSearch.results,
          highlight: [
            { memory_id: sampleMemory.id, snippet: sampleMemory.content, ranges: [[12, 15]] },
          ],
          cluster: [],
          space: [],
        },
        total: 2,
      },
    },
  }),
  topic: defineRoute({
    id: 'search.topic',
    method: 'GET',
    path: '/search/topic',
    summary: 'Memories with exactly this tag',
    description: 'By priority, the newest of equals first. Counts no search.',
    access: 'search:read',
    query: s.topicSearchQuery,
    responses: { 200: s.topicSearchResponse },
    errors: [],
    example: {
      query: { topic: 'preference', limit: 5 },
      response: {
        memories: [
          {
            id: sampleMemory.id,
            content: sampleMemory.content,
            content_type: sampleMemory.content_type,
            tags: sampleMemory.tags,
            metadata: sampleMemory.metadata,
            priority: sampleMemory.priority,
            created_at: sampleMemory.created_at,
            topic_relevance: 1,
          },
        ],
        total: 1,
      },
    },
  }),
  aggregate: defineRoute({
    id: 'search.aggregate',
    method: 'GET',
    path: '/search/aggregate',
    summary: 'Count what a search finds by tag, cluster, content type, priority or time',
    description:
      'Everything that matches is counted, never only the first results. A memory with several ' +
      'tags counts in each. The time is occurred_at, where there is one, else created_at.',
    access: 'search:read',
    query: s.aggregateQuery,
    responses: { 200: s.aggregateResponse },
    errors: ['space_not_found', 'space_access_denied', 'embedding_failed', 'quota_exceeded'],
    example: {
      query: { query: 'Ana prefers tea', group_by: 'time_bucket', bucket_size: 'week' },
      response: {
        query: 'Ana prefers tea',
        group_by: 'time_bucket',
        total_count: 1,
        groups: [
          {
            key: '2026-01-05',
            label: '2026-01-05',
            count: 1,
            avg_score: 0.82,
            top: [{ id: sampleMemory.id, score: 0.82 }],
          },
        ],
      },
    },
  }),
  similar: defineRoute({
    id: 'search.similar',
    method: 'GET',
    path: '/search/similar/:memoryId',
    summary: 'Memories nearest to a memory by their embeddings, nearest first',
    access: 'search:read',
    params: s.similarParams,
    notFound: 'memory_not_found',
    query: s.similarQuery,
    responses: { 200: s.similarResponse },
    errors: ['space_not_found', 'space_access_denied', 'quota_exceeded'],
    example: {
      params: { memoryId: '019b8d1c-3a4c-750d-87c8-d3e4f5061728' },
      query: { limit: 5, threshold: 0.5 },
      response: {
        memory_id: '019b8d1c-3a4c-750d-87c8-d3e4f5061728',
        results: [{ memory: sampleMemory, similarity: 0.93 }],
      },
    },
  }),
} as const;
