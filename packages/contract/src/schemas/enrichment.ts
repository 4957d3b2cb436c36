import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import { withCanonicalFields } from '../canonical-fields.ts';
import { idOutput, itemError, ratio, timestampOutput } from '../fields.ts';
import { listEnvelope } from '../list-envelope.ts';
import { entityTypes } from './knowledge.ts';

export const topicCategories = ['concept', 'entity', 'action', 'attribute'] as const;
export const enrichmentOperations = ['topics', 'summary', 'entities', 'quality'] as const;
export type EnrichmentOperation = (typeof enrichmentOperations)[number];

export const memoryTopicsQuery = z.strictObject({
  refresh: z.boolean().default(false),
  min_relevance: ratio.default(0.5),
  categories: z
    .array(z.enum(topicCategories))
    .max(topicCategories.length)
    .optional()
    .meta({ description: 'Only topics of these categories, separated by commas.' }),
});

export const memoryQualityQuery = withCanonicalNames(
  z.strictObject({ recalculate: z.boolean().default(false) }),
  { refresh: 'recalculate' },
);

export const enrichMemoryBody = z.strictObject({
  operations: z.array(z.enum(enrichmentOperations)).min(1).max(enrichmentOperations.length),
});

export const topic = z
  .object({ name: z.string(), relevance: ratio, category: z.enum(topicCategories) })
  .meta({ id: 'Topic' });

const factors = {
  specificity: ratio.meta({ description: 'How specific and detailed the content is.' }),
  clarity: ratio.meta({ description: 'How clearly the content is expressed.' }),
  actionability: ratio.meta({ description: 'How useful the content is for decisions.' }),
};
const uniqueness = ratio.meta({ description: 'How much the content differs from other memories.' });

const model = z
  .string()
  .meta({ description: 'The model that produced the result: local, or the name of a model.' });

export const memoryTopics = listEnvelope(
  z.object({
    memory_id: idOutput,
    topics: z.array(topic),
    extracted_at: timestampOutput,
    model,
  }),
  { records: ['topics'], paging: 'all' },
);

export const memoryQuality = withCanonicalFields(
  z.object({
    memory_id: idOutput,
    quality_score: ratio,
    factors: z.object({ ...factors, uniqueness }),
    calculated_at: timestampOutput,
  }),
  { computed_at: 'calculated_at' },
);

const operationResult = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.boolean(), data: data.optional(), error: itemError.optional() });

export const enrichedMemory = z.object({
  memory_id: idOutput,
  enrichments: z.object({
    topics: operationResult(z.array(topic)).optional(),
    summary: operationResult(z.string()).optional(),
    entities: operationResult(
      z.array(z.object({ name: z.string(), type: z.enum(entityTypes), confidence: ratio })),
    ).optional(),
    quality: operationResult(z.object({ score: ratio, factors: z.object(factors) })).optional(),
  }),
  processed_at: timestampOutput,
  model,
});

export const queuedEnrichment = z.object({
  job_id: idOutput,
  memory_id: idOutput,
  status: z.literal('queued'),
});

export type QualityFactors = MemoryQuality['factors'];
export type Topic = z.output<typeof topic>;
export type MemoryQuality = z.output<typeof memoryQuality>;
export type EnrichedMemory = z.output<typeof enrichedMemory>;
