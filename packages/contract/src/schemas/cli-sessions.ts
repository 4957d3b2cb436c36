import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import {
  customIssueOptions,
  idOutput,
  integer,
  jsonObjectOutput,
  metadata,
  pageFields,
  pageLimit,
  spaceFilter,
  spaceRef,
  storableText,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { listEnvelope, offsetPage } from '../list-envelope.ts';
import { ownerFields } from '../owners.ts';
import { withSpaceName } from '../space-names.ts';
import { memory } from './memories.ts';

export const sessionTypes = ['conversation', 'project', 'task', 'temporary'] as const;
export const sessionStatuses = ['active', 'paused', 'completed', 'archived'] as const;
export const retentionPolicies = [
  'permanent',
  'temporary',
  'auto_delete',
  'on_completion',
] as const;
export type SessionStatus = (typeof sessionStatuses)[number];
export type SessionType = (typeof sessionTypes)[number];
export type RetentionPolicy = (typeof retentionPolicies)[number];

export const cliSession = z
  .object({
    id: idOutput,
    account_id: idOutput,
    created_by: idOutput.nullable(),
    name: z.string(),
    type: z.enum(sessionTypes),
    status: z.enum(sessionStatuses),
    description: z.string().nullable(),
    tags: z.array(z.string()),
    space_id: idOutput.nullable(),
    origin_type: z.string().nullable(),
    retention_policy: z.enum(retentionPolicies),
    retention_days: z.int().nullable(),
    is_private: z.boolean(),
    summary: z.string().nullable(),
    message_count: z.int().meta({ description: 'Number of chat messages ever recorded.' }),
    memory_count: z
      .int()
      .meta({ description: 'Number of memories in the session, without deleted ones.' }),
    metadata: jsonObjectOutput,
    created_at: timestampOutput,
    updated_at: timestampOutput,
    last_active_at: timestampOutput,
    paused_at: timestampOutput.nullable(),
    completed_at: timestampOutput.nullable(),
    archived_at: timestampOutput.nullable(),
  })
  .meta({ id: 'CliSession' });

const sessionTags = z
  .array(storableText({ min: 1, max: limits.sessionTagCharactersMax }))
  .max(limits.sessionTagsMax);
const name = storableText({ min: 1, max: limits.sessionNameCharactersMax });
const description = storableText({ max: limits.descriptionCharactersMax });
const retentionDays = integer({ min: 1, max: limits.retentionDaysMax });
const originType = storableText({ min: 1, max: limits.nameCharactersMax });

export const createCliSessionBody = withSpaceName(
  z.strictObject({
    name,
    type: z.enum(sessionTypes).default('conversation'),
    description: description.nullable().optional(),
    space_id: spaceRef.optional(),
    origin_type: originType.nullable().optional(),
    tags: sessionTags.optional(),
    retention_policy: z.enum(retentionPolicies).default('permanent'),
    retention_days: retentionDays.nullable().optional(),
    is_private: z.boolean().default(false),
    metadata: metadata.optional(),
  }),
)
  .refine((body) => body.retention_policy !== 'auto_delete' || body.retention_days != null, {
    path: ['retention_days'],
    ...customIssueOptions('required', 'is required with retention_policy auto_delete'),
  })
  .meta({ id: 'CreateCliSession' });

export const patchCliSessionBody = z
  .strictObject({
    name: name.optional(),
    description: description.nullable().optional(),
    tags: sessionTags.optional(),
    retention_policy: z.enum(retentionPolicies).optional(),
    retention_days: retentionDays.nullable().optional(),
    is_private: z.boolean().optional(),
    metadata: metadata.optional(),
    summary: storableText({ max: limits.patchedSummaryCharactersMax }).nullable().optional(),
  })
  .meta({ id: 'PatchCliSession' });

const tagFilter = z
  .array(storableText({ min: 1, max: limits.sessionTagCharactersMax }))
  .min(1)
  .max(limits.tagsPerMemoryMax);

export const listCliSessionsQuery = withCanonicalNames(
  withSpaceName(
    z.strictObject({
      status: z.enum(sessionStatuses).optional(),
      type: z.enum(sessionTypes).optional(),
      space_id: spaceFilter.optional(),
      origin_type: originType.optional(),
      tags: tagFilter.optional().meta({ description: 'Comma-separated; matches any of the tags.' }),
      search: storableText({ min: 1, max: limits.searchQueryCharactersMax })
        .optional()
        .meta({ description: 'Text in the name or description, case-insensitive.' }),
      include_archived: z.boolean().default(false),
      sort: z.enum(['created_at', 'updated_at', 'last_active_at', 'name']).default('created_at'),
      order: z.enum(['asc', 'desc']).default('desc'),
      ...pageFields,
    }),
  ),
  { q: 'search' },
);
export const cliSessionPage = offsetPage(cliSession);

export const activeCliSessionsQuery = z.strictObject({
  limit: pageLimit,
});
export const activeCliSessions = listEnvelope(
  z.object({ data: z.array(cliSession), count: z.int() }),
  { records: ['data'], paging: 'best' },
);

export const cliSessionStats = z
  .object({
    total: z.int(),
    by_status: z.object({
      active: z.int(),
      paused: z.int(),
      completed: z.int(),
      archived: z.int(),
    }),
    by_type: z.object({
      conversation: z.int(),
      project: z.int(),
      task: z.int(),
      temporary: z.int(),
    }),
  })
  .meta({ id: 'CliSessionStats' });

export const completeCliSessionBody = z.strictObject({
  summary: storableText({ max: limits.summaryCharactersMax }).optional(),
});

export const sessionMemoryPage = offsetPage(memory);

export const chatMessage = withCanonicalNames(
  z.strictObject({
    role: storableText({ min: 1, max: limits.roleCharactersMax }),
    name: storableText({ min: 1, max: limits.nameCharactersMax }).optional(),
    content: storableText({ min: 1 }),
    created_at: timestampInput.optional().meta({ description: 'When the message was sent.' }),
    ...ownerFields,
  }),
  { occurred_at: 'created_at' },
).meta({ id: 'ChatMessage' });
export const postMessagesBody = z.strictObject({
  messages: z.array(chatMessage).min(1).max(limits.bulkItemsMax),
});
export const postMessagesResponse = z.object({ memories: z.array(memory) });

export type CliSession = z.output<typeof cliSession>;
export type ChatMessage = z.output<typeof chatMessage>;
