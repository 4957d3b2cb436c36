import { z } from 'zod';
import { idInput, idOutput, timestampOutput } from '../fields.ts';
import { listEnvelope } from '../list-envelope.ts';
import { memory } from './memories.ts';

/** What in the texts tells that the newer memory outdates the older one. */
export const updateReasons = ['ended', 'replaced', 'corrected', 'other_value'] as const;
export type UpdateReason = (typeof updateReasons)[number];

const confidence = z.number().meta({
  description: 'The estimated probability that the newer memory outdates the older one.',
});

const reason = z.enum(updateReasons).meta({
  description:
    'ended: what the older memory says has ended; replaced: something else has taken its place; ' +
    'corrected: it was wrong; other_value: the newer memory states something else of the same.',
});

/** A memory that the new one may outdate. */
export const possibleUpdate = z
  .object({
    memory_id: idOutput.meta({ description: 'The older memory.' }),
    confidence,
    reason,
    applied: z.boolean().meta({ description: 'Whether the new memory supersedes it now.' }),
  })
  .meta({ id: 'PossibleUpdate' });
export type PossibleUpdate = z.output<typeof possibleUpdate>;

/** The answer of a create. */
export const createdMemory = memory
  .extend({
    possible_updates: z.array(possibleUpdate).meta({
      description:
        'Older memories that this one may outdate, as far as they are found at once. What is ' +
        'found later arrives as the event memory.update_suggested.',
    }),
  })
  .meta({ id: 'CreatedMemory' });
export type CreatedMemory = z.output<typeof createdMemory>;

const endedFact = z
  .object({
    statement: z.string().meta({ description: 'Of the older memory: "Ana works at Acme".' }),
    predicate: z.string(),
    ended_at: timestampOutput.nullable().meta({
      description: 'null: by what is known now it holds again; the suggestion is withdrawn soon.',
    }),
  })
  .nullable()
  .meta({
    description:
      'The fact that has ended by what the newer memory states; null: only the texts say so.',
  });

export const suggestionStates = ['open', 'accepted', 'dismissed', 'applied'] as const;

export const updateSuggestion = z
  .object({
    newer_id: idOutput,
    older_id: idOutput,
    confidence,
    reason,
    fact: endedFact,
    status: z.enum(suggestionStates).meta({
      description:
        'accepted and applied: the newer memory supersedes the older one, until that ' +
        'relationship is deleted. dismissed: never suggested again.',
    }),
    created_at: timestampOutput,
  })
  .meta({ id: 'UpdateSuggestion' });
export type UpdateSuggestion = z.output<typeof updateSuggestion>;

export const listSuggestionsQuery = z.strictObject({
  status: z.enum(suggestionStates).default('open'),
});

export const updateSuggestionList = listEnvelope(
  z.object({ data: z.array(updateSuggestion) }).meta({ id: 'UpdateSuggestionList' }),
  { records: ['data'], paging: 'best' },
);

export const suggestionParams = z.strictObject({
  id: idInput('memory').meta({ description: 'The newer memory.' }),
  olderId: idInput('memory').meta({ description: 'The older memory.' }),
});
