import { z } from 'zod';
import { aliasOf } from '../aliases.ts';
import {
  idOutput,
  jsonObjectOutput,
  pageFields,
  storableText,
  timestampInput,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { offsetPage } from '../list-envelope.ts';
import { entityTypes } from './knowledge.ts';
import { memory } from './memories.ts';
import { relationship } from './relationships.ts';

/** Key of an activation session: searches with the same key add to the same session. */
export const sessionKey = storableText({ min: 1, max: limits.sessionKeyCharactersMax }).meta({
  description: 'Adds the memories that are found to the activation session with this key.',
});

const activationFields = {
  id: idOutput,
  session_key: z.string(),
  started_at: timestampOutput,
  last_active_at: timestampOutput,
  last_activity_at: aliasOf('last_active_at', timestampOutput),
  memory_count: z.int(),
  is_closed: z.boolean(),
  api_key_id: idOutput.nullable(),
};

export const activationSession = z.object(activationFields).meta({ id: 'ActivationSession' });
export const activationSessionDetail = z
  .object({
    ...activationFields,
    memory_ids: z.array(idOutput).meta({ description: 'In the order of first access.' }),
  })
  .meta({ id: 'ActivationSessionDetail' });

export const listActivationsQuery = z.strictObject({
  is_closed: z.boolean().optional(),
  since: timestampInput
    .optional()
    .meta({ description: 'Only sessions whose started_at is not earlier.' }),
  sort: z.enum(['started_at', 'last_activity_at']).default('started_at'),
  order: z.enum(['asc', 'desc']).default('desc'),
  ...pageFields,
});
export const activationPage = offsetPage(activationSession);
export const activationMemoryPage = offsetPage(memory);

export const activationExportFormats = ['markdown', 'json', 'csv', 'html'] as const;
export type ActivationExportFormat = (typeof activationExportFormats)[number];
export const activationExportQuery = z.strictObject({
  format: z.enum(activationExportFormats).default('markdown'),
});

/** JSON export; `create` is a body that creates the memory again. */
export const activationExport = z
  .object({
    session: activationSessionDetail,
    memories: z.array(memory.extend({ create: jsonObjectOutput })),
    relationships: z.array(relationship),
  })
  .meta({ id: 'ActivationExport' });

export const activationReportQuery = z.strictObject({
  include_relationships: z.boolean().default(true),
});
export const activationReport = z
  .object({
    session: activationSessionDetail,
    memories: z.array(memory.extend({ access_count: z.int(), first_accessed_at: timestampOutput })),
    relationships: z.array(relationship),
    top_tags: z.array(z.object({ tag: z.string(), count: z.int() })),
    entities: z
      .array(
        z.object({
          id: idOutput,
          name: z.string(),
          type: z.enum(entityTypes),
          memory_count: z.int(),
        }),
      )
      .meta({ description: 'The entities that most of its memories mention, at most 20.' }),
    timeline: z.array(z.object({ at: timestampOutput, memory_id: idOutput })),
  })
  .meta({ id: 'ActivationReport' });

export type ActivationSession = z.output<typeof activationSession>;
export type ActivationSessionDetail = z.output<typeof activationSessionDetail>;
export type ActivationReport = z.output<typeof activationReport>;
