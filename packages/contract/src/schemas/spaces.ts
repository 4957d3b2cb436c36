import { z } from 'zod';
import {
  idOutput,
  jsonObjectOutput,
  metadata,
  pagination,
  storableText,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';

const name = storableText({ min: 1, max: limits.nameCharactersMax });
const description = storableText({ max: limits.descriptionCharactersMax }).nullable();

export const space = z
  .object({
    id: idOutput,
    name: z.string(),
    description: z.string().nullable(),
    metadata: jsonObjectOutput,
    created_at: timestampOutput,
    updated_at: timestampOutput,
  })
  .meta({ id: 'Space' });

export const createSpaceBody = z.strictObject({
  name,
  description: description.optional(),
  metadata: metadata.optional(),
});

export const patchSpaceBody = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  metadata: metadata
    .optional()
    .meta({ description: 'Merged into the stored value (RFC 7396); null removes a key.' }),
});

export const spacePage = z.object({ data: z.array(space), pagination });
export type Space = z.output<typeof space>;
