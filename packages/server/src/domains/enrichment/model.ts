import type { EnrichmentOperation, EntityType, QualityFactors, Topic } from '@mneme/contract';

/** The stored value of each operation. */
export interface EnrichmentValues {
  topics: readonly Topic[];
  summary: string;
  entities: readonly { name: string; type: EntityType; confidence: number }[];
  quality: QualityFactors;
}

export interface ComputedEnrichment<K extends EnrichmentOperation = EnrichmentOperation> {
  readonly operation: K;
  readonly value: EnrichmentValues[K];
  /** The author: `local` or the name of a model. */
  readonly model: string;
}

/** A stored enrichment. */
export interface StoredEnrichment<K extends EnrichmentOperation = EnrichmentOperation>
  extends ComputedEnrichment<K> {
  readonly memoryId: string;
  /** Hash of the content that it was computed from. */
  readonly contentHash: Uint8Array;
  readonly processedAt: Date;
}

const weights = { specificity: 0.3, clarity: 0.25, actionability: 0.2, uniqueness: 0.25 };

/** The weighted mean of the factors, 0..1, rounded to three decimals. */
export const qualityScore = (factors: QualityFactors): number =>
  roundToThousandths(
    weights.specificity * factors.specificity +
      weights.clarity * factors.clarity +
      weights.actionability * factors.actionability +
      weights.uniqueness * factors.uniqueness,
  );

export const roundToThousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

export const isSameHash = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
