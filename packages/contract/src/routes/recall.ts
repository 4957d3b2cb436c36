import { defineRoute } from '../route.ts';
import { sampleMemory } from '../samples.ts';
import { recallBody, recallResponse } from '../schemas/recall.ts';

export const recallRoutes = {
  recall: defineRoute({
    id: 'search.recall',
    method: 'POST',
    path: '/recall',
    summary: 'Build a context for a prompt from relevant memories',
    description:
      'Contains the most relevant memories first, then related ones, within max_tokens (o200k). ' +
      'Superseded memories are omitted; a question about the past keeps them, marked as ' +
      'outdated. Memories whose facts have ended are kept, marked as outdated.',
    access: 'search:read',
    body: recallBody,
    responses: { 200: recallResponse },
    errors: ['space_not_found', 'space_access_denied', 'embedding_failed', 'quota_exceeded'],
    example: {
      body: { q: 'what does Ana drink?', max_tokens: 500, max_memories: 1 },
      response: {
        context: `[${sampleMemory.id}] 2026-01-05\nAna prefers tea over coffee.\n\n`,
        memories: [{ ...sampleMemory, score: 0.82, passage: null, related_to: null }],
        token_count: 39,
        truncated: false,
        omitted: [],
      },
    },
  }),
} as const;
