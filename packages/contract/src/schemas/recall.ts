import { z } from 'zod';
import { limits } from '../limits.ts';
import { sessionKey } from './activation-sessions.ts';
import { idOut, integer, spaceRef, tags, text } from './fields.ts';
import { memory } from './memories.ts';

export const recallBody = z
  .strictObject({
    query: text({ min: 1, max: limits.searchQueryCharactersMax }),
    session: sessionKey.optional(),
    space_id: spaceRef.optional(),
    tags: tags.optional().meta({ description: 'All must match.' }),
    max_tokens: integer({ min: limits.recallTokensMin, max: limits.recallTokensMax }).default(
      limits.recallTokensDefault,
    ),
    max_memories: integer({ min: 1, max: limits.recallMemoriesMax }).default(
      limits.recallMemoriesDefault,
    ),
    include_related: z.boolean().default(true),
  })
  .meta({ id: 'RecallRequest' });

const recalledMemory = memory
  .extend({
    score: z.number().min(0).max(1).nullable().meta({
      description: 'As in search; null for a memory that came by its relationships.',
    }),
    related_to: idOut.nullable().meta({ description: 'The memory whose relationships led here.' }),
  })
  .meta({ id: 'RecalledMemory' });

export const recallResponse = z
  .object({
    context: z.string().meta({ description: 'Ready to prompt; each memory with its id.' }),
    memories: z.array(recalledMemory),
    token_count: z.int().meta({ description: 'Of the context, in o200k tokens.' }),
    truncated: z.boolean().meta({ description: 'Something was cut or left out for the budget.' }),
  })
  .meta({ id: 'RecallAnswer' });

export type RecallBody = z.output<typeof recallBody>;
export type RecallResponse = z.output<typeof recallResponse>;
export type RecalledMemory = z.output<typeof recalledMemory>;
