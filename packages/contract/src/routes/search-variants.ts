import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleMemory, sampleSearch, sampleSpace } from '../samples.ts';
import * as s from '../schemas/search-variants.ts';

export const searchVariantRoutes = {
  batch: defineRoute({
    id: 'search.batch',
    method: 'POST',
    path: '/search/batch',
    summary: 'Run up to 20 searches, each separately',
    description:
      'An invalid query returns an error at its position; the others run. Each successful query ' +
      'counts as one search. If the quota is exhausted between them, the remaining queries fail; ' +
      'if no query can run, the whole request fails.',
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
            error: { code: 'space_not_found', message: 'Space not found.' },
          },
        ],
      },
    },
  }),
  global: defineRoute({
    id: 'search.global',
    method: 'GET',
    path: '/search/global',
    summary: 'Find memories, clusters and spaces by words',
    description:
      'Keyword search only: nothing is embedded, and no search is counted. Quotes and -term work ' +
      'as in a search. The response has every group; groups that were not requested, or whose ' +
      'area the key cannot read, are empty.',
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
    summary: 'List memories with exactly this tag',
    description: 'Ordered by priority, then newest first. Does not count as a search.',
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
    summary: 'Count search matches by tag, cluster, content type, priority or time',
    description:
      'Counts all matches, not only the first results. A memory with several tags counts in each ' +
      'group. The time is occurred_at, or created_at without one.',
    access: 'search:read',
    query: s.aggregateQuery,
    responses: { 200: s.aggregateResponse },
    errors: ['space_not_found', 'space_access_denied', 'embedding_failed', 'quota_exceeded'],
    example: {
      query: { q: 'Ana prefers tea', group_by: 'time_bucket', bucket_size: 'week' },
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
    summary: 'List the memories with the most similar embeddings',
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
