import { defineRoute } from '../route.ts';
import { sampleMemory } from '../samples.ts';
import * as s from '../schemas/from-messages.ts';

const turnId = '019b8d1c-3a46-7fa7-8162-7d8e9fa0b1d3';
const sentence = 'I prefer tea over coffee.';

export const fromMessagesRoutes = {
  fromMessages: defineRoute({
    id: 'memories.fromMessages',
    method: 'POST',
    path: '/memories/from-messages',
    summary: 'Store the turns of a conversation and what they say that lasts',
    description:
      'Each message becomes a memory with metadata.role and metadata.speaker. Facts, ' +
      'preferences, decisions and plans that users state become memories of their own, tagged ' +
      'with the kind and linked to their turns; built-in rules find them (in English), or the ' +
      'configured language model. Everything is stored in one transaction. A message that is ' +
      'stored already (same owner, space, session, role, name, content and occurred_at) is not ' +
      'stored again, so a request may be repeated, and may contain earlier messages of the ' +
      'conversation.',
    access: 'memories:write',
    body: s.fromMessagesBody,
    responses: { 201: s.fromMessagesResponse },
    idempotent: true,
    endpointLimit: 'memories.bulk',
    errors: [
      'content_too_large',
      'embedding_failed',
      'space_not_found',
      'space_access_denied',
      'not_found',
      'invalid_state_transition',
      'memory_not_found',
      'conflict',
      'quota_exceeded',
      'daily_limit_exceeded',
    ],
    example: {
      body: { messages: [{ role: 'user', content: `Hi! ${sentence}` }], user_id: 'ana' },
      response: {
        turns: [turnId],
        memories: [
          {
            ...sampleMemory,
            content: sentence,
            user_id: 'ana',
            tags: ['preference'],
            metadata: { kind: 'preference' },
            priority: 0,
            source_ids: [turnId],
            action: 'added',
          },
        ],
      },
    },
  }),
} as const;
