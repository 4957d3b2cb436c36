import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import { detectUpdates } from '../detect-updates.ts';
import {
  cursor,
  customIssueOptions,
  idInput,
  idOutput,
  individuallyValidated,
  integer,
  itemFailure,
  jsonObjectOutput,
  metadata,
  pageLimit,
  ratio,
  spaceFilter,
  spaceRef,
  storableText,
  tags,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { cursorPage } from '../list-envelope.ts';
import { withMetadataFilters } from '../metadata-filters.ts';
import { ownerFields, ownerFilters, ownerOutputs } from '../owners.ts';
import { withSpaceName } from '../space-names.ts';

/** Content types that a create accepts; `video` requires an upload. */
export const creatableContentTypes = ['text', 'markdown', 'url', 'audio', 'image'] as const;
export const contentTypes = [...creatableContentTypes, 'video'] as const;
export const protectionLevels = ['none', 'soft', 'hard'] as const;
export type ContentType = (typeof contentTypes)[number];
export type ProtectionLevel = (typeof protectionLevels)[number];

export const outdatedBy = idOutput.nullable().meta({
  description:
    'The newest of the memories at the ends of what supersedes it, directly or over several, or ' +
    'says that all its facts have ended; null: it is current.',
});

const expiresAt = timestampOutput.nullable().meta({
  description: 'From then on the memory is hidden; it is erased within the hour. null: never.',
});

/** A memory. `priority` is 0 to 10; `salience` and `quality_score` are 0 to 1, or null. */
export const memory = z
  .object({
    id: idOutput,
    content: z.string(),
    content_type: z.enum(contentTypes),
    space_id: idOutput.nullable(),
    ...ownerOutputs,
    session_id: idOutput.nullable(),
    tags: z.array(z.string()),
    metadata: jsonObjectOutput,
    priority: z.int(),
    salience: z.number().nullable(),
    is_pinned: z.boolean(),
    is_deleted: z.boolean(),
    protection_level: z.enum(protectionLevels),
    quality_score: z.number().nullable(),
    occurred_at: timestampOutput.nullable(),
    expires_at: expiresAt,
    verified_at: timestampOutput.nullable(),
    deleted_at: timestampOutput.nullable(),
    created_at: timestampOutput,
    updated_at: timestampOutput,
    outdated_by: outdatedBy,
  })
  .meta({ id: 'Memory' });

const priority = integer({ min: 0, max: 10 });

/**
 * Documents the bounds without checking them: a wrong length has its own code, invalid_embedding.
 */
const never = () => false;
const embedding = z.array(z.number()).check(
  new z.core.$ZodCheckMinLength({ check: 'min_length', minimum: 1, when: never }),
  new z.core.$ZodCheckMaxLength({
    check: 'max_length',
    maximum: limits.embeddingDimensionsMax,
    when: never,
  }),
);

export const supersedes = z
  .array(idInput('memory'))
  .max(limits.supersededMemoriesMax)
  .meta({
    description:
      'Ids of older memories that this one replaces: each gets a `supersedes` relationship ' +
      'from it, or nothing is stored.',
  });

/** Of a create; the bounds depend on the clock: a time in the past is invalid_range. */
export const expiresAtInput = timestampInput.nullable().meta({
  description:
    'When the memory is to be forgotten, in the future. Default: the creation plus ' +
    'memory_lifetime_days of its space; null: never. A hard-protected memory never expires.',
});

export const createMemoryBody = withCanonicalNames(
  withSpaceName(
    z.strictObject({
      content: storableText({ min: 1 }),
      type: z.enum(creatableContentTypes).optional(),
      content_type: z.enum(creatableContentTypes).optional(),
      space_id: spaceRef.optional(),
      ...ownerFields,
      tags: tags.optional(),
      metadata: metadata.optional(),
      priority: priority.optional(),
      session_id: idInput('other').optional(),
      is_pinned: z.boolean().optional(),
      protection_level: z.enum(protectionLevels).optional(),
      occurred_at: timestampInput.optional(),
      expires_at: expiresAtInput.optional(),
      embedding: embedding.optional(),
      supersedes: supersedes.optional(),
      detect_updates: detectUpdates.optional(),
      allow_duplicate: z.boolean().optional().meta({
        description: 'Skips the duplicate check, as for chat messages.',
      }),
    }),
  ),
  { content_type: 'type' },
).meta({ id: 'CreateMemory' });

export const patchMemoryBody = withSpaceName(
  z.strictObject({
    content: storableText({ min: 1 }).optional(),
    metadata: metadata.optional(),
    tags: tags.optional(),
    priority: priority.optional(),
    space_id: spaceRef.optional(),
    session_id: idInput('other').nullable().optional(),
    occurred_at: timestampInput.nullable().optional(),
    expires_at: timestampInput.nullable().optional(),
    supersedes: supersedes.optional(),
  }),
).meta({ id: 'PatchMemory' });

export const memoryParams = z.strictObject({ id: idInput('memory') });

/** `occurred_at`: the time of the content, else of the creation. */
export const memorySorts = [
  'created_at',
  'updated_at',
  'occurred_at',
  'priority',
  'salience',
] as const;

/** Conditions of lists and of erasures. */
export const memoryFilterFields = {
  ...ownerFilters,
  session_id: idInput('other').optional(),
  tags: tags.optional().meta({ description: 'Memories with all of these tags.' }),
  tags_any: tags.optional().meta({ description: 'Memories with one of these tags.' }),
  content_type: z.enum(contentTypes).optional(),
  created_after: timestampInput.optional(),
  created_before: timestampInput.optional(),
  updated_after: timestampInput.optional(),
  updated_before: timestampInput.optional(),
  occurred_after: timestampInput.optional(),
  occurred_before: timestampInput.optional(),
  min_priority: priority.optional(),
  min_quality: ratio.optional(),
  pinned: z.boolean().optional(),
  protected: z.boolean().optional(),
  outdated: z
    .boolean()
    .optional()
    .meta({
      description:
        'Only memories that another memory supersedes or whose facts have all ended, or only ' +
        'the others.',
    }),
} as const;

const listFilterFields = {
  space_id: spaceFilter.optional(),
  ids: z.array(idInput('memory')).min(1).max(limits.pageMax).optional(),
  ...memoryFilterFields,
  include_deleted: z.boolean().default(false),
} as const;

const plainListQuery = withCanonicalNames(
  withSpaceName(
    z.object({
      ...listFilterFields,
      sort: z
        .enum(memorySorts)
        .default('created_at')
        .meta({
          description:
            'occurred_at: the time of the content, else of the creation. salience: as it is ' +
            'when the first page is read, of at most 100,000 memories; the cursor is valid for ' +
            '10 minutes.',
        }),
      order: z.enum(['asc', 'desc']).default('desc'),
      limit: pageLimit,
      cursor: cursor.optional(),
    }),
  ),
  { is_pinned: 'pinned' },
);

/** Lists are comma-separated, and each `metadata.<key>=value` is a filter. */
export const listMemoriesQuery = withMetadataFilters(plainListQuery, () => false);

export const memoryPage = cursorPage(memory);

/** The filters of the list. */
export const memoryFacetsQuery = withMetadataFilters(
  withCanonicalNames(withSpaceName(z.object(listFilterFields)), { is_pinned: 'pinned' }),
  () => false,
);

const count = z.int();
export const memoryFacets = z
  .object({
    total: z.int().meta({ description: 'Number of memories that match all filters.' }),
    spaces: z
      .array(z.object({ space_id: idOutput.nullable(), count }))
      .meta({ description: 'Without the filter by space; the largest 1,000.' }),
    content_types: z
      .array(z.object({ content_type: z.enum(contentTypes), count }))
      .meta({ description: 'Without the filter content_type.' }),
    tags: z
      .array(z.object({ tag: z.string(), count }))
      .meta({ description: 'The 50 most frequent tags of the memories that match all filters.' }),
    priorities: z
      .array(z.object({ priority: z.int(), count }))
      .meta({ description: 'Without the filter min_priority; the highest priority first.' }),
    months: z.array(z.object({ month: z.string(), count })).meta({
      description:
        'By month of creation (`2026-11`, in UTC), without the filters created_after and ' +
        'created_before; the newest 120.',
    }),
  })
  .meta({ id: 'MemoryFacets' });

export const deleteMemoryQuery = z.strictObject({
  soft: z.boolean().default(false),
  confirm: z.boolean().default(false),
});

export const setProtectionBody = z.strictObject({ protection_level: z.enum(protectionLevels) });

export const createFeedbackBody = z.strictObject({
  helpful: z.boolean(),
  query: storableText({ max: limits.searchQueryCharactersMax }).optional(),
  comment: storableText({ max: 2_000 }).optional(),
});

export const feedback = z
  .object({
    id: idOutput,
    memory_id: idOutput,
    helpful: z.boolean(),
    query: z.string().nullable(),
    comment: z.string().nullable(),
    salience: z.number(),
    created_at: timestampOutput,
  })
  .meta({ id: 'Feedback' });

export const bulkCreateQuery = z.strictObject({ atomic: z.boolean().default(false) });
export const bulkCreateItem = individuallyValidated(createMemoryBody);
export const bulkCreateBody = z.strictObject({
  memories: z.array(bulkCreateItem).min(1).max(limits.bulkItemsMax),
});
export const bulkCreateResponse = z.object({
  created: z.int(),
  memories: z.array(memory),
  failed: z.array(itemFailure),
});

const ids = z.array(idInput('memory')).min(1).max(limits.bulkItemsMax);

export const bulkUpdateBody = z.strictObject({
  ids,
  set: withSpaceName(
    z.strictObject({
      tags: tags.optional(),
      priority: priority.optional(),
      metadata: metadata.optional(),
      space_id: spaceRef.optional(),
    }),
  ).refine(
    (set) => Object.keys(set).length > 0,
    customIssueOptions('required', 'must contain at least one field'),
  ),
});
export const bulkUpdateResponse = z.object({ updated: z.int(), failed: z.array(itemFailure) });

export const bulkDeleteBody = z.strictObject({ ids, soft: z.boolean().default(false) });
export const bulkDeleteResponse = z.object({
  deleted: z.int(),
  failed: z.array(itemFailure),
  job_id: idOutput
    .nullable()
    .meta({ description: 'The job that erases permanently deleted memories.' }),
});

export const bulkTagsBody = z
  .strictObject({ ids, add: tags.optional(), remove: tags.optional() })
  .refine((body) => (body.add?.length ?? 0) + (body.remove?.length ?? 0) > 0, {
    path: ['add'],
    ...customIssueOptions('required', 'add or remove must contain a tag'),
  });

export type Memory = z.output<typeof memory>;
export type MemoryFacets = z.output<typeof memoryFacets>;
export type MemorySort = (typeof memorySorts)[number];
export type CreateMemoryBody = z.output<typeof createMemoryBody>;
export type PatchMemoryBody = z.output<typeof patchMemoryBody>;
