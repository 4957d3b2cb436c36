import type { EnrichmentOperation, EntityType, QualityFactors, Topic } from '@mneme/contract';

/** What each operation makes of a content, as it is kept. */
export interface Values {
  topics: readonly Topic[];
  summary: string;
  entities: readonly { name: string; type: EntityType; confidence: number }[];
  quality: QualityFactors;
}

export interface Made<K extends EnrichmentOperation = EnrichmentOperation> {
  readonly operation: K;
  readonly value: Values[K];
  /** Who made it: `local` or the name of a model. */
  readonly model: string;
}

/** One that is kept. */
export interface Kept<K extends EnrichmentOperation = EnrichmentOperation> extends Made<K> {
  readonly memoryId: string;
  /** Of the content that it was made of. */
  readonly contentHash: Uint8Array;
  readonly processedAt: Date;
}

const weights = { specificity: 0.3, clarity: 0.25, actionability: 0.2, uniqueness: 0.25 };

/** The weighted mean of the factors, 0..1, to three places. */
export const scoreOf = (factors: QualityFactors): number =>
  rounded(
    weights.specificity * factors.specificity +
      weights.clarity * factors.clarity +
      weights.actionability * factors.actionability +
      weights.uniqueness * factors.uniqueness,
  );

export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

export const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
