import { defineRoute } from '../route.ts';
import { sampleSearch } from '../samples.ts';
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
} as const;
