import { defineRoute } from '../route.ts';
import { sampleMemory, sampleRelationship, sampleTimestamp } from '../samples.ts';
import { memoryParams } from '../schemas/memories.ts';
import * as s from '../schemas/update-suggestions.ts';

const { source_id: newerId, target_id: olderId } = sampleRelationship;
const suggestion = {
  newer_id: newerId,
  older_id: olderId,
  confidence: 0.82,
  reason: 'replaced',
  fact: null,
  status: 'open',
  created_at: sampleTimestamp,
} as const;
const pair = { params: s.suggestionParams, notFound: 'memory_not_found' } as const;

export const updateSuggestionRoutes = {
  suggestions: defineRoute({
    id: 'memories.suggestions',
    method: 'GET',
    path: '/memories/:id/suggestions',
    summary: 'List memories that this one may outdate, and those that may outdate it',
    description:
      'The most probable first, at most 100. They are found in the background, seconds after a ' +
      'memory was stored or changed, by its text and by the facts that it ends. Open ones are ' +
      'shown while no other memory supersedes the older one.',
    access: 'memories:read',
    params: memoryParams,
    notFound: 'memory_not_found',
    query: s.listSuggestionsQuery,
    responses: { 200: s.updateSuggestionList },
    errors: ['space_access_denied'],
    example: { params: { id: sampleMemory.id }, response: { data: [suggestion] } },
  }),
  acceptSuggestion: defineRoute({
    id: 'memories.acceptSuggestion',
    method: 'POST',
    path: '/memories/:id/suggestions/:olderId/accept',
    summary: 'Accept a suggestion: the newer memory supersedes the older one',
    description:
      'Creates the supersedes relationship, if it is not there; to undo it, delete that ' +
      'relationship. A dismissed suggestion can be accepted, too.',
    ...pair,
    access: 'memories:write',
    responses: { 200: s.updateSuggestion },
    errors: ['not_found', 'space_access_denied', 'conflict', 'quota_exceeded'],
    example: {
      params: { id: newerId, olderId },
      response: { ...suggestion, status: 'accepted' },
    },
  }),
  dismissSuggestion: defineRoute({
    id: 'memories.dismissSuggestion',
    method: 'POST',
    path: '/memories/:id/suggestions/:olderId/dismiss',
    summary: 'Dismiss a suggestion, which is not made again',
    description:
      '409 conflict while the newer memory supersedes the older one: delete that relationship ' +
      'first.',
    ...pair,
    access: 'memories:write',
    responses: { 200: s.updateSuggestion },
    errors: ['not_found', 'space_access_denied', 'conflict'],
    example: {
      params: { id: newerId, olderId },
      response: { ...suggestion, status: 'dismissed' },
    },
  }),
} as const;
