import type {
  Conversation,
  Extraction,
  SourceText,
  SpeakerFact,
  Statement,
} from '@mneme/extraction';

export const topicCategories = ['concept', 'entity', 'action', 'attribute'] as const;

export type TopicCategory = (typeof topicCategories)[number];

export interface Topic {
  readonly name: string;
  readonly relevance: number;
  readonly category: TopicCategory;
}

/**
 * The number of the account's documents that contain a term (`extractTerms`): identifies what is
 * specific to it.
 */
export interface DocumentFrequencies {
  readonly documents: number;
  documentFrequency(term: string): number;
}

export interface QualityFactors {
  readonly specificity: number;
  readonly clarity: number;
  readonly actionability: number;
}

export const outdatedReasons = ['ended', 'replaced', 'corrected', 'other_value'] as const;

/** What in the texts tells that a newer one outdates an older one. */
export type OutdatedReason = (typeof outdatedReasons)[number];

/** A text that a newer one may outdate. */
export interface OlderText {
  readonly text: string;
  readonly at: Date;
  /** The cosine of its vector and that of the newer text. */
  readonly similarity: number;
}

/** An older text that a newer one outdates. */
export interface OutdatedText {
  /** Its index in the list of older texts. */
  readonly index: number;
  /** The probability that it is outdated, 0..1. */
  readonly confidence: number;
  readonly reason: OutdatedReason;
}

/** A result, and its author: `local` or the model's name. */
export interface ModelResult<T> {
  readonly model: string;
  readonly value: T;
}

/** Analyses texts by built-in rules (`local`) or by a model. Each operation is independent. */
export interface TextAnalyzer {
  /** The preferred model; each result names the one that produced it. */
  readonly model: string;
  extract(source: SourceText): Promise<ModelResult<Extraction>>;
  /** What the author says of themselves; always by built-in rules. */
  speakerFacts(text: string): Promise<readonly SpeakerFact[]>;
  topics(
    source: SourceText,
    frequencies: DocumentFrequencies,
  ): Promise<ModelResult<readonly Topic[]>>;
  summary(source: SourceText): Promise<ModelResult<string>>;
  quality(source: SourceText): Promise<ModelResult<QualityFactors>>;
  /** The same as `outdated` within a fraction of a millisecond and less certain; never a model. */
  outdatedAtOnce(
    newer: string,
    older: readonly Pick<OlderText, 'text' | 'similarity'>[],
  ): readonly OutdatedText[];
  /** Those of the older texts that the newer one probably outdates. */
  outdated(
    newer: SourceText,
    older: readonly OlderText[],
  ): Promise<ModelResult<readonly OutdatedText[]>>;
  statements(conversation: Conversation): Promise<ModelResult<readonly Statement[]>>;
}

/** What a model does; of the rest, built-in rules do all. */
export type ModelAnalyzer = Omit<TextAnalyzer, 'outdatedAtOnce' | 'speakerFacts'>;

/** A model gave no usable response. The message is for the log: it contains no text and no key. */
export class TextAnalysisFailed extends Error {
  override readonly name = 'LanguageFailed';
  /** The failure does not depend on the text. */
  readonly unavailable: boolean;

  constructor(message: string, options: ErrorOptions & { unavailable?: boolean } = {}) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
  }
}
