import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import {
  idInput,
  idOutput,
  integer,
  ratio,
  spaceRef,
  storableText,
  tags,
  timestampInput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { ownerFilters } from '../owners.ts';
import {
  foundByOutput,
  rerankField,
  rerankOutput,
  rewriteField,
  rewriteOutput,
} from '../query-models.ts';
import { withSpaceName } from '../space-names.ts';
import { sessionKey } from './activation-sessions.ts';
import { memory } from './memories.ts';
import { asOf, passageOutput } from './search.ts';

export const recallFormats = ['text', 'markdown', 'json', 'xml', 'lines'] as const;
export type RecallFormat = (typeof recallFormats)[number];

/** Body of POST /recall. `max_tokens` counts o200k tokens. */
export const recallBody = withCanonicalNames(
  withSpaceName(
    z.strictObject({
      query: storableText({ min: 1, max: limits.searchQueryCharactersMax }),
      session: sessionKey.optional(),
      space_id: spaceRef.optional(),
      ...ownerFilters,
      tags: tags.optional().meta({ description: 'Only memories with all of these tags.' }),
      max_tokens: integer({ min: limits.recallTokensMin, max: limits.recallTokensMax }).default(
        limits.recallTokensDefault,
      ),
      max_memories: integer({ min: 1, max: limits.recallMemoriesMax }).default(
        limits.recallMemoriesDefault,
      ),
      as_of: asOf,
      rewrite: rewriteField,
      rerank: rerankField,
      occurred_after: timestampInput.optional().meta({
        description: 'Only memories of this time or later: of occurred_at, else of created_at.',
      }),
      occurred_before: timestampInput.optional(),
      exclude_session_id: idInput('other').optional().meta({
        description: 'Memories of this session are left out, because the prompt has them already.',
      }),
      include_related: z.boolean().default(true),
      threshold: ratio.default(limits.recallThresholdDefault).meta({
        description: 'Memories with a lower score are left out.',
      }),
      format: z
        .enum(recallFormats)
        .default('text')
        .meta({
          description:
            'How the context is written. json is one object: `memories` with id, date, ' +
            'session_id, role, speaker, outdated_by and content. xml has a `memory` element ' +
            'for each. lines has one line for each, the most relevant first and outdated ones ' +
            'last; the first one is shortened rather than left out.',
        }),
    }),
  ),
  { q: 'query', session_key: 'session' },
).meta({ id: 'RecallRequest' });

const recalledMemory = memory
  .extend({
    score: z.number().min(0).max(1).nullable().meta({
      description: 'As in search; null for a memory that was added through its relationships.',
    }),
    found_by: foundByOutput,
    passage: passageOutput,
    related_to: idOutput
      .nullable()
      .meta({ description: 'The memory whose relationship added this one.' }),
  })
  .meta({ id: 'RecalledMemory' });

export const recallResponse = z
  .object({
    context: z.string().meta({
      description:
        'Text for a prompt, in the requested format; each memory with its id, date, speaker and ' +
        'role. Memories of one conversation stand together, in its order, except in lines. Empty ' +
        'without memories.',
    }),
    memories: z.array(recalledMemory),
    token_count: z.int().meta({ description: 'Length of the context in o200k tokens.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether memories were shortened or omitted to fit the budget.' }),
    omitted: z.array(z.object({ memory_id: idOutput, reason: z.enum(['budget', 'score']) })).meta({
      description:
        'Which of the best `max_memories` matches the context leaves out, and why: no tokens ' +
        'were left for it, or its score is below `threshold`.',
    }),
    rewrite: rewriteOutput,
    rerank: rerankOutput,
  })
  .meta({ id: 'RecallAnswer' });

export type RecallBody = z.output<typeof recallBody>;
export type RecallResponse = z.output<typeof recallResponse>;
export type RecalledMemory = z.output<typeof recalledMemory>;
