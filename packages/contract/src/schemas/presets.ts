import { z } from 'zod';
import { customIssueOptions, integer, ratio, storableText, timestampOutput } from '../fields.ts';
import { limits } from '../limits.ts';
import { offsetPage } from '../list-envelope.ts';

/** Pipelines of every account; presets cannot use their names. */
export const builtInPipelines = {
  precise: { limit: 10, threshold: 0.5 },
  balanced: { limit: 20, threshold: 0.2 },
  broad: { limit: 100, threshold: 0 },
} as const;
export type BuiltInPipeline = keyof typeof builtInPipelines;
export const builtInPipelineNames = Object.keys(builtInPipelines) as readonly BuiltInPipeline[];

const max = limits.presetNameCharactersMax;

/** A pipeline in a search; only the account knows whether it exists. */
export const pipelineRef = storableText({ max }).meta({
  description: 'precise, balanced, broad, or a preset of the account. Unknown names are rejected.',
});

const presetName = storableText({ min: 1, max })
  .refine(
    (name) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name),
    customIssueOptions(
      'invalid_format',
      'must start with a letter or digit and contain only letters, digits, "-", "_" and "."',
    ),
  )
  .meta({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' });

export const presetParams = z.strictObject({ name: presetName });

export const putPresetBody = z
  .strictObject({
    limit: integer({ min: 1, max: limits.pageMax }).default(limits.pageDefault),
    threshold: ratio.default(0),
  })
  .meta({ id: 'PutSearchPreset' });

export const searchPreset = z
  .object({
    name: z.string(),
    limit: z.int(),
    threshold: z.number(),
    is_built_in: z.boolean(),
    created_at: timestampOutput.nullable().meta({ description: 'Null for a built-in pipeline.' }),
    updated_at: timestampOutput.nullable(),
  })
  .meta({ id: 'SearchPreset' });

export const presetPage = offsetPage(searchPreset);

export type SearchPreset = z.output<typeof searchPreset>;
