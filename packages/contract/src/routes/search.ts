import { defineRoute } from '../route.ts';
import { sampleMemory, sampleSearch } from '../samples.ts';
import { recallBody, recallResponse } from '../schemas/recall.ts';
import { searchBody, searchQuery, searchResponse } from '../schemas/search.ts';

export const searchRoutes = {
  get: defineRoute({
    id: 'search.get',
    method: 'GET',
    path: '/search',
    summary: 'Search memories by meaning and words',
    description:
      'Semantic and keyword relevance together rank the memories. A "quoted phrase" must occur ' +
      'in a result; -term excludes results with that term. metadata.<key>=value filters by ' +
      'metadata.',
    access: 'search:read',
    query: searchQuery,
    responses: { 200: searchResponse },
    endpointLimit: 'search',
    errors: ['space_not_found', 'space_access_denied', 'embedding_failed', 'quota_exceeded'],
    example: { query: { q: 'what does Ana drink?', limit: 5 }, response: sampleSearch },
  }),
  post: defineRoute({
    id: 'search.post',
    method: 'POST',
    path: '/search',
    summary: 'Search memories with a JSON body',
    access: 'search:read',
    body: searchBody,
    responses: { 200: searchResponse },
    endpointLimit: 'search',
    errors: ['space_not_found', 'space_access_denied', 'embedding_failed', 'quota_exceeded'],
    example: { body: { q: 'what does Ana drink?', tags: ['preference'] }, response: sampleSearch },
  }),
  recall: defineRoute({
    id: 'search.recall',
    method: 'POST',
    path: '/recall',
    summary: 'Build a context for a prompt from relevant memories',
    description:
      'Contains the most relevant memories first, then related ones, within max_tokens (o200k). ' +
      'Superseded memories are omitted.',
    access: 'search:read',
    body: recallBody,
    responses: { 200: recallResponse },
    errors: ['space_not_found', 'space_access_denied', 'embedding_failed', 'quota_exceeded'],
    example: {
      body: { query: 'what does Ana drink?', max_tokens: 500, max_memories: 1 },
      response: {
        context: `[${sampleMemory.id}] 2026-01-05\nAna prefers tea over coffee.\n\n`,
        memories: [{ ...sampleMemory, score: 0.82, related_to: null }],
        token_count: 39,
        truncated: false,
      },
    },
  }),
} as const;
