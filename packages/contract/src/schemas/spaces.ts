import { z } from 'zod';
import {
  idOutput,
  integer,
  jsonObjectOutput,
  metadata,
  storableText,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { offsetPage } from '../list-envelope.ts';

const name = storableText({ min: 1, max: limits.nameCharactersMax });
const memoryLifetimeDays = integer({ min: 1, max: limits.memoryLifetimeDaysMax })
  .nullable()
  .meta({
    description:
      'Days after its creation when a new memory of the space expires, if its create has no ' +
      'expires_at. Memories that are stored already keep theirs.',
  });
const description = storableText({ max: limits.descriptionCharactersMax }).nullable();

export const space = z
  .object({
    id: idOutput,
    name: z.string(),
    description: z.string().nullable(),
    metadata: jsonObjectOutput,
    memory_lifetime_days: z.int().nullable(),
    created_at: timestampOutput,
    updated_at: timestampOutput,
  })
  .meta({ id: 'Space' });

export const createSpaceBody = z.strictObject({
  name,
  description: description.optional(),
  metadata: metadata.optional(),
  memory_lifetime_days: memoryLifetimeDays.optional(),
});

export const patchSpaceBody = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  metadata: metadata
    .optional()
    .meta({ description: 'Merged into the stored value (RFC 7396); null removes a key.' }),
  memory_lifetime_days: memoryLifetimeDays.optional(),
});

export const spacePage = offsetPage(space);
export type Space = z.output<typeof space>;
