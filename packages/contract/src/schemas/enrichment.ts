import { z } from 'zod';
import { type FaultParams, idOut, itemError, ratio, timestampOut } from './common.ts';
import { entityTypes } from './knowledge.ts';

export const topicCategories = ['concept', 'entity', 'action', 'attribute'] as const;
export const enrichmentOperations = ['topics', 'summary', 'entities', 'quality'] as const;
export type EnrichmentOperation = (typeof enrichmentOperations)[number];

const queryFlag = z.enum(['true', 'false']).default('false').transform((value) => value === 'true');

const categories = z
  .string()
  .transform((value) => value.split(','))
  .pipe(
    z.array(z.enum(topicCategories)).refine((list) => list.length <= topicCategories.length, {
      message: `must name at most ${topicCategories.length}`,
      params: { fault: 'invalid_range' } satisfies FaultParams,
    }),
  );

export const topicsQuery = z.strictObject({
  refresh: queryFlag,
  min_relevance: ratio.default(0.5),
  categories: categories.optional(),
});

export const qualityQuery = z.strictObject({ recalculate: queryFlag });

export const enrichMemory = z.strictObject({
  operations: z.array(z.enum(enrichmentOperations)).min(1).max(enrichmentOperations.length),
});

export const topic = z
  .object({ name: z.string(), relevance: ratio, category: z.enum(topicCategories) })
  .meta({ id: 'Topic' });

const factors = {
  specificity: ratio.meta({ description: 'How specific and detailed.' }),
  clarity: ratio.meta({ description: 'How clearly expressed.' }),
  actionability: ratio.meta({ description: 'How useful for decisions.' }),
};
const uniqueness = ratio.meta({ description: 'How distinct from other memories.' });

const model = z.string().meta({ description: 'Who did it: local, or a model’s name.' });

export const memoryTopics = z.object({
  memory_id: idOut,
  topics: z.array(topic),
  extracted_at: timestampOut,
  model,
});

export const memoryQuality = z.object({
  memory_id: idOut,
  quality_score: ratio,
  factors: z.object({ ...factors, uniqueness }),
  calculated_at: timestampOut,
});

const outcome = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.boolean(), data: data.optional(), error: itemError.optional() });

export const enrichedMemory = z.object({
  memory_id: idOut,
  enrichments: z.object({
    topics: outcome(z.array(topic)).optional(),
    summary: outcome(z.string()).optional(),
    entities: outcome(
      z.array(z.object({ name: z.string(), type: z.enum(entityTypes), confidence: ratio })),
    ).optional(),
    quality: outcome(z.object({ score: ratio, factors: z.object(factors) })).optional(),
  }),
  processed_at: timestampOut,
  model,
});

export const queuedEnrichment = z.object({
  job_id: idOut,
  memory_id: idOut,
  status: z.literal('queued'),
});

export type Topic = z.output<typeof topic>;
export type MemoryQuality = z.output<typeof memoryQuality>;
export type EnrichedMemory = z.output<typeof enrichedMemory>;
