export const entityTypes = [
  'person',
  'organization',
  'location',
  'product',
  'concept',
  'event',
  'skill',
  'date',
] as const;

export type EntityType = (typeof entityTypes)[number];

export const predicates = [
  'works_at',
  'reports_to',
  'collaborates_with',
  'located_in',
  'uses',
  'knows',
  'part_of',
  'related_to',
] as const;

export type Predicate = (typeof predicates)[number];

/** What a text is read against. */
export interface SourceText {
  readonly text: string;
  /** When it was written: relative dates count from here. */
  readonly at: Date;
  /** Who "I" is. */
  readonly speaker?: string;
}

export interface ExtractedEntity {
  readonly name: string;
  readonly type: EntityType;
  /** Every form it has in the text. */
  readonly mentions: readonly string[];
  /** 0..1 */
  readonly confidence: number;
  /** Of dates: ISO date, month, year, or interval a/b. */
  readonly value?: string;
}

export interface ExtractedFact {
  /** Places in `entities`. */
  readonly subject: number;
  readonly predicate: Predicate;
  readonly object: number;
  /** The words that say it. */
  readonly statement: string;
  readonly confidence: number;
  /** ISO date at the precision told. */
  readonly validFrom?: string;
  readonly validTo?: string;
}

export interface Extraction {
  readonly entities: readonly ExtractedEntity[];
  readonly facts: readonly ExtractedFact[];
}

export const topicCategories = ['concept', 'entity', 'action', 'attribute'] as const;

export type TopicCategory = (typeof topicCategories)[number];

export interface Topic {
  readonly name: string;
  readonly relevance: number;
  readonly category: TopicCategory;
}

/** How many of the account's documents hold a term (`termsOf`), for what is particular here. */
export interface DocumentFrequencies {
  readonly documents: number;
  documentFrequency(term: string): number;
}

export interface QualityFactors {
  readonly specificity: number;
  readonly clarity: number;
  readonly actionability: number;
}

/** An answer, and who gave it: `local` or the model's name. */
export interface ModelResult<T> {
  readonly model: string;
  readonly value: T;
}

/** Reads texts: by rules of this house (`local`) or by a model. Each part answers for itself. */
export interface TextAnalyzer {
  /** Who is asked first; each answer tells who gave it. */
  readonly model: string;
  extract(source: SourceText): Promise<ModelResult<Extraction>>;
  topics(
    source: SourceText,
    frequencies: DocumentFrequencies,
  ): Promise<ModelResult<readonly Topic[]>>;
  summary(source: SourceText): Promise<ModelResult<string>>;
  quality(source: SourceText): Promise<ModelResult<QualityFactors>>;
}

/** A model gave no usable answer. The message is for the log: it holds no text and no key. */
export class TextAnalysisFailed extends Error {
  override readonly name = 'LanguageFailed';
  /** No other text would have fared better. */
  readonly unavailable: boolean;

  constructor(message: string, options: ErrorOptions & { unavailable?: boolean } = {}) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
  }
}
