import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import {
  checkDespiteOtherIssues,
  idInput,
  idOutput,
  integer,
  jsonObjectOutput,
  ratio,
  spaceFilter,
  spaceRef,
  storableText,
  tags,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { listEnvelope, offsetPagination } from '../list-envelope.ts';
import { requireFilterCount, withMetadataFilters } from '../metadata-filters.ts';
import { ownerFilters, ownerOutputs } from '../owners.ts';
import {
  foundByOutput,
  rerankField,
  rerankOutput,
  rewriteField,
  rewriteOutput,
} from '../query-models.ts';
import { withSpaceName } from '../space-names.ts';
import { sessionKey } from './activation-sessions.ts';
import { segmentModalities } from './media.ts';
import { contentTypes, outdatedBy } from './memories.ts';
import { pipelineRef } from './presets.ts';

/** The moment that a question is about. */
export const asOf = timestampInput.optional().meta({
  description:
    'Asks for what held at this time: what was superseded later stands before what supersedes ' +
    'it, and memories of a later time rank behind. The time of a memory is its occurred_at, else ' +
    'its created_at.',
});

const sharedFields = {
  q: storableText({ min: 1, max: limits.searchQueryCharactersMax }),
  include: z
    .array(z.enum(['memories', 'audio']))
    .min(1)
    .optional(),
  ...ownerFilters,
  tags: tags.optional(),
  tags_any: tags.optional(),
  content_type: z.enum(contentTypes).optional(),
  created_after: timestampInput.optional(),
  created_before: timestampInput.optional(),
  occurred_after: timestampInput.optional(),
  occurred_before: timestampInput.optional(),
  min_priority: integer({ min: 0, max: 10 }).optional(),
  limit: integer({ min: 1, max: limits.pageMax }).optional(),
  offset: integer({ min: 0, max: limits.searchOffsetMax }).default(0),
  threshold: ratio.optional().meta({
    description:
      'Minimum score, 0 to 1. At 0 nothing is cut, and the nearest others fill the page.',
  }),
  explain: z.boolean().default(false).meta({
    description: 'Adds why_matched to each result: what each feature adds to its score.',
  }),
  why: idInput('memory').optional().meta({
    description: 'A memory whose place is explained in `why`, also where it is no result.',
  }),
  as_of: asOf,
  rewrite: rewriteField,
  rerank: rerankField,
  pipeline: pipelineRef.optional(),
  session: sessionKey.optional(),
  include_superseded: z
    .boolean()
    .default(true)
    .meta({
      description:
        'false: omits memories that another memory supersedes; what supersedes them takes ' +
        'their place.',
    }),
};

const isFilter = (name: string): boolean =>
  /^(?:space_id|space|user_id|agent_id|run_id|tags|tags_any|content_type|min_priority)$/.test(
    name,
  ) || /^(?:created|occurred)_(?:after|before)$/.test(name);

const plainQuery = withCanonicalNames(
  withSpaceName(z.object({ ...sharedFields, space_id: spaceFilter.optional() })),
  { session_key: 'session' },
);

/** Query of GET /search: lists are comma-separated, and each `metadata.<key>=value` is a filter. */
export const searchQuery = withMetadataFilters(plainQuery, isFilter);

const metadataFilter = z.record(
  storableText({ min: 1 }),
  z.union([storableText(), z.number(), z.boolean()]),
);

/** Body of POST /search: lists and numbers as JSON. */
export const searchBody = withCanonicalNames(
  withSpaceName(
    z.strictObject({
      ...sharedFields,
      space_id: spaceRef.optional(),
      metadata: metadataFilter.optional(),
    }),
  ),
  { session_key: 'session' },
)
  .superRefine((body, context) => {
    const names = Object.keys(body).filter(isFilter);
    requireFilterCount([...names, ...Object.keys(Object(body.metadata))], context);
  }, checkDespiteOtherIssues)
  .meta({ id: 'SearchRequest' });

/**
 * Explains the score of a result, for requests with `explain`. Ranks start at 1; null: no match.
 */
export const matchExplanation = z.object({
  semantic_rank: z.int().nullable(),
  semantic_score: z.number().nullable(),
  keyword_rank: z.int().nullable(),
  keyword_score: z.number().nullable(),
  matched_terms: z.array(z.string()),
  features: z.record(z.string(), z.number()).meta({
    description:
      'What each feature adds to the log-odds of the score; the sum is ln(score / (1 − score)). ' +
      'best_match: how near the first result is to the query; lead: its distance to the second; ' +
      'behind_first: the distance of another to the first; outdated: a newer memory follows, or ' +
      'it is later than as_of; ' +
      'no_match: the result only fills the page.',
  }),
  priority_boost: z.number(),
  salience_boost: z.number(),
});

/** Why a memory is at its place among the results of a search. */
export const resultPlacement = z
  .object({
    id: idOutput,
    rank: z.int().nullable().meta({ description: 'From 1 among all matches; null: no match.' }),
    score: z.number().min(0).max(1).nullable(),
    reason: z.enum(['ranked', 'below_threshold', 'filtered', 'no_match', 'not_found']).meta({
      description:
        'filtered: excluded by a filter, an exclusion or a required phrase; no_match: shares no ' +
        'word with the query and is not near; not_found: not in the searched spaces.',
    }),
    why_matched: matchExplanation.nullable(),
    ahead: z
      .object({
        id: idOutput,
        score: z.number().min(0).max(1),
        differences: z.record(z.string(), z.number()),
      })
      .nullable()
      .meta({
        description:
          'The first match, and by how much each of its features exceeds that of this memory; ' +
          'null if there is no other.',
      }),
  })
  .meta({ id: 'ResultPlacement' });

/** Where a long memory answers; also of recalled memories. */
export const resultPassage = z
  .object({
    start: z.int().min(0),
    end: z.int().min(0),
    text: z.string(),
  })
  .meta({ id: 'ResultPassage' });

export const passageOutput = resultPassage.nullable().meta({
  description:
    'The passage of a long memory that answers best: its text is the content from start ' +
    '(included) to end (excluded), in UTF-16 code units. null: the memory is not divided into ' +
    'passages.',
});

export const searchResult = z
  .object({
    type: z.literal('memory'),
    id: idOutput,
    score: z.number().min(0).max(1),
    content: z.string(),
    content_type: z.enum(contentTypes),
    highlight: z.string().meta({
      description: 'The passage of the content that matches best, shortened if it is long.',
    }),
    passage: passageOutput,
    tags: z.array(z.string()),
    metadata: jsonObjectOutput,
    space_id: idOutput.nullable(),
    ...ownerOutputs,
    session_id: idOutput.nullable(),
    priority: z.int(),
    occurred_at: timestampOutput.nullable(),
    created_at: timestampOutput,
    outdated_by: outdatedBy,
    warnings: z
      .array(z.object({ code: z.literal('superseded'), superseded_by: idOutput }))
      .optional()
      .meta({ description: 'Omitted if empty.' }),
    found_by: foundByOutput,
    why_matched: matchExplanation.optional(),
  })
  .meta({ id: 'SearchResult' });

/** A speech segment of a recording, or a key frame of a video, with its time range. */
export const audioSegmentResult = z
  .object({
    type: z.literal('audio_segment'),
    id: idOutput,
    score: z.number().min(0).max(1),
    audio_file_id: idOutput.meta({ description: 'The memory that contains the recording.' }),
    modality: z.enum(segmentModalities).meta({
      description: 'speech: spoken words; frame: the content of a key frame.',
    }),
    text: z.string(),
    highlight: z.string().meta({ description: 'The part of the text that matches best.' }),
    start_time: z.number().meta({ description: 'Seconds from the start.' }),
    end_time: z.number().meta({ description: 'Seconds from the start.' }),
    speaker: z.string().nullable(),
    clip_url: z.string().meta({
      description: 'Plays this time range without a key, for 15 minutes.',
    }),
    space_id: idOutput.nullable(),
    session_id: idOutput.nullable(),
    created_at: timestampOutput,
    found_by: foundByOutput,
    why_matched: matchExplanation.optional(),
  })
  .meta({ id: 'AudioSegmentResult' });

/** A result of either kind; `type` discriminates. */
export const anySearchResult = z.discriminatedUnion('type', [searchResult, audioSegmentResult]);

/** One page of results. `total` counts the matches of both kinds. */
export const searchPage = z.object({
  results: z.array(anySearchResult),
  facets: z.object({ memories: z.int(), audio_segments: z.int() }).meta({
    description: 'Number of matches by kind; others that fill the page are not counted.',
  }),
  why: resultPlacement.optional().meta({
    description: 'For requests with `why`: as the query alone ranks it.',
  }),
  rewrite: rewriteOutput,
  rerank: rerankOutput,
  pagination: offsetPagination,
});
export const searchResponse = listEnvelope(searchPage, {
  records: ['results'],
  paging: 'offset',
  isRanked: true,
});

export type SearchBody = z.output<typeof searchBody>;
export type SearchResult = z.output<typeof searchResult>;
export type AudioSegmentResult = z.output<typeof audioSegmentResult>;
export type AnySearchResult = z.output<typeof anySearchResult>;
export type ResultPlacement = z.output<typeof resultPlacement>;
export type MatchExplanation = z.output<typeof matchExplanation>;
