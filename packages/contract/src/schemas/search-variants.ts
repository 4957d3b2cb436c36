import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import {
  checkDespiteOtherIssues,
  customIssueOptions,
  idInput,
  idOutput,
  itemError,
  jsonObjectOutput,
  limitField,
  pageLimit,
  ratio,
  spaceFilter,
  storableText,
  validatedByHandler,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { listEnvelope } from '../list-envelope.ts';
import { ownerFilters } from '../owners.ts';
import { withSpaceName } from '../space-names.ts';
import { sessionKey } from './activation-sessions.ts';
import { memory } from './memories.ts';
import { searchBody, searchPage, searchResult } from './search.ts';
import { space } from './spaces.ts';

export const searchBatchBody = withCanonicalNames(
  z.strictObject({
    queries: z.array(validatedByHandler(searchBody)).min(1).max(limits.searchBatchMax),
    session: sessionKey
      .optional()
      .meta({ description: 'Default session key for queries without one.' }),
  }),
  { session_key: 'session' },
).meta({ id: 'SearchBatchRequest' });

export const searchBatchResponse = z.object({
  results: z
    .array(
      z.union([
        searchPage.extend({ query: z.string() }),
        z.object({
          query: z.string().nullable().meta({ description: 'Null if `q` is not a valid text.' }),
          error: itemError,
        }),
      ]),
    )
    .meta({ description: 'One result for each query, in the same order.' }),
});

export const similarParams = z.strictObject({ memoryId: idInput('memory') });
export const similarQuery = withCanonicalNames(
  withSpaceName(
    z.strictObject({
      limit: pageLimit,
      threshold: ratio.default(0).meta({ description: 'Minimum similarity.' }),
      space_id: spaceFilter.optional(),
      ...ownerFilters,
      session: sessionKey.optional(),
    }),
  ),
  { session_key: 'session' },
);
export const similarResponse = listEnvelope(
  z.object({
    memory_id: idOutput,
    results: z.array(
      z.object({
        memory,
        similarity: z.number().min(0).max(1).meta({
          description: 'Cosine of the two embeddings; negative values become 0.',
        }),
      }),
    ),
  }),
  { records: ['results'], paging: 'best' },
);

export const topicSearchQuery = withCanonicalNames(
  z.strictObject({
    topic: storableText({ min: 1, max: limits.topicCharactersMax }).meta({
      description: 'A tag, exactly as stored.',
    }),
    ...ownerFilters,
    limit: pageLimit,
    session: sessionKey.optional(),
  }),
  { session_key: 'session' },
);
export const topicSearchResponse = listEnvelope(
  z.object({
    memories: z.array(
      memory
        .pick({
          id: true,
          content: true,
          content_type: true,
          tags: true,
          metadata: true,
          priority: true,
          created_at: true,
        })
        .extend({
          topic_relevance: z
            .number()
            .min(0)
            .max(1)
            .meta({ description: '1: the tag matches exactly.' }),
        })
        .meta({ id: 'TopicMemory' }),
    ),
    total: z.int().meta({ description: 'Number of all matches, including those beyond `limit`.' }),
  }),
  { records: ['memories'], paging: 'best' },
);

export const aggregateGroupings = [
  'tags',
  'clusters',
  'content_type',
  'priority',
  'time_bucket',
] as const;

export const aggregateQuery = withCanonicalNames(
  withSpaceName(
    z.strictObject({
      query: storableText({ min: 1, max: limits.searchQueryCharactersMax }),
      group_by: z.enum(aggregateGroupings),
      bucket_size: z.enum(['day', 'week', 'month']).optional().meta({
        description: 'Required for time_bucket. Buckets are in UTC; weeks start on Monday.',
      }),
      threshold: ratio.default(0.5),
      limit: limitField({ max: limits.pageMax, fallback: limits.searchGroupsDefault }).meta({
        description: 'Maximum number of groups.',
      }),
      space_id: spaceFilter.optional(),
      ...ownerFilters,
      session: sessionKey.optional(),
    }),
  ),
  { q: 'query', session_key: 'session' },
).superRefine(({ group_by, bucket_size }, context) => {
  if (group_by !== 'time_bucket' || bucket_size !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['bucket_size'],
    ...customIssueOptions('required', 'is required when group_by is time_bucket'),
  });
}, checkDespiteOtherIssues);

export const aggregateResponse = listEnvelope(
  z.object({
    query: z.string(),
    group_by: z.enum(aggregateGroupings),
    total_count: z.int().meta({ description: 'Number of all matches, whether in a group or not.' }),
    groups: z
      .array(
        z
          .object({
            key: z.string().meta({
              description:
                'The tag, content type or priority, the id of the cluster, or the first day of ' +
                'the bucket.',
            }),
            label: z.string(),
            count: z.int(),
            avg_score: z.number().min(0).max(1),
            top: z.array(z.object({ id: idOutput, score: z.number().min(0).max(1) })),
          })
          .meta({ id: 'SearchGroup' }),
      )
      .meta({ description: 'The largest groups first, then by key. Counts include all matches.' }),
  }),
  { records: ['groups'], paging: 'best' },
);

export const globalResultTypes = ['memory', 'highlight', 'cluster', 'space'] as const;

export const globalSearchQuery = withCanonicalNames(
  z.strictObject({
    q: storableText({ min: 1, max: limits.searchQueryCharactersMax }),
    types: z
      .array(z.enum(globalResultTypes))
      .min(1)
      .optional()
      .meta({ description: 'The groups to search; default: all.' }),
    ...ownerFilters,
    limit: pageLimit.meta({ description: 'Maximum results in each group.' }),
    session: sessionKey.optional(),
  }),
  { session_key: 'session' },
);

const highlight = z
  .object({
    memory_id: idOutput,
    snippet: z.string(),
    ranges: z.array(z.array(z.int().min(0)).length(2)).meta({
      description: 'Matched terms, as [start, end) offsets into the snippet in UTF-16 code units.',
    }),
  })
  .meta({ id: 'Highlight' });

export const globalSearchResponse = z.object({
  query: z.string(),
  results: z.object({
    memory: z.array(searchResult),
    highlight: z.array(highlight).meta({ description: 'One highlight for each matching memory.' }),
    cluster: z.array(jsonObjectOutput),
    space: z.array(space),
  }),
  total: z.int().meta({ description: 'Number of all matches in the requested groups.' }),
});

export type Highlight = z.output<typeof highlight>;
