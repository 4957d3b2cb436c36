import type { EnrichmentOperation, EntityType, QualityFactors, Topic } from '@mneme/contract';

/** What each operation makes of a content, as it is kept. */
export interface EnrichmentValues {
  topics: readonly Topic[];
  summary: string;
  entities: readonly { name: string; type: EntityType; confidence: number }[];
  quality: QualityFactors;
}

export interface ComputedEnrichment<K extends EnrichmentOperation = EnrichmentOperation> {
  readonly operation: K;
  readonly value: EnrichmentValues[K];
  /** Who made it: `local` or the name of a model. */
  readonly model: string;
}

/** One that is kept. */
export interface StoredEnrichment<K extends EnrichmentOperation = EnrichmentOperation>
  extends ComputedEnrichment<K> {
  readonly memoryId: string;
  /** Of the content that it was made of. */
  readonly contentHash: Uint8Array;
  readonly processedAt: Date;
}

const weights = { specificity: 0.3, clarity: 0.25, actionability: 0.2, uniqueness: 0.25 };

/** The weighted mean of the factors, 0..1, to three places. */
export const qualityScore = (factors: QualityFactors): number =>
  roundToThousandths(
    weights.specificity * factors.specificity +
      weights.clarity * factors.clarity +
      weights.actionability * factors.actionability +
      weights.uniqueness * factors.uniqueness,
  );

export const roundToThousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

export const isSameHash = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
