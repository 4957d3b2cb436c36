import { z } from 'zod';
import { idOutput, integer, spaceRef, storableText, tags } from '../fields.ts';
import { limits } from '../limits.ts';
import { sessionKey } from './activation-sessions.ts';
import { memory } from './memories.ts';

/** Body of POST /recall. `max_tokens` counts o200k tokens. */
export const recallBody = z
  .strictObject({
    query: storableText({ min: 1, max: limits.searchQueryCharactersMax }),
    session: sessionKey.optional(),
    space_id: spaceRef.optional(),
    tags: tags.optional().meta({ description: 'Only memories with all of these tags.' }),
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
      description: 'As in search; null for a memory that was added through its relationships.',
    }),
    related_to: idOutput
      .nullable()
      .meta({ description: 'The memory whose relationship added this one.' }),
  })
  .meta({ id: 'RecalledMemory' });

export const recallResponse = z
  .object({
    context: z
      .string()
      .meta({ description: 'Text for a prompt; each memory is preceded by its id.' }),
    memories: z.array(recalledMemory),
    token_count: z.int().meta({ description: 'Length of the context in o200k tokens.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether memories were shortened or omitted to fit the budget.' }),
  })
  .meta({ id: 'RecallAnswer' });

export type RecallBody = z.output<typeof recallBody>;
export type RecallResponse = z.output<typeof recallResponse>;
export type RecalledMemory = z.output<typeof recalledMemory>;
