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

export const factPredicates = [
  'works_at',
  'reports_to',
  'collaborates_with',
  'located_in',
  'uses',
  'knows',
  'part_of',
  'related_to',
] as const;

export type FactPredicate = (typeof factPredicates)[number];

/** What somebody says of themselves: predicates of everyday life. */
export type SpeakerPredicate =
  | 'lives_in'
  | 'works_at'
  | 'job_title'
  | 'reports_to'
  | 'partner_of'
  | 'parent_of'
  | 'pet'
  | 'allergic_to'
  | 'likes'
  | 'dislikes'
  | 'prefers'
  | 'owns'
  | 'studies'
  | 'birthday'
  | 'plans'
  | 'decided'
  | 'uses';

/** A text with the context of its analysis. */
export interface SourceText {
  readonly text: string;
  /** When it was written: relative dates refer to this. */
  readonly at: Date;
  /** The person that "I" refers to. */
  readonly speaker?: string;
}

export interface ExtractedEntity {
  readonly name: string;
  readonly type: EntityType;
  /** All forms of the name in the text. */
  readonly mentions: readonly string[];
  /** 0..1 */
  readonly confidence: number;
  /** Of dates: ISO date, month, year, or interval a/b. */
  readonly value?: string;
}

export interface ExtractedFact {
  /** Indices in `entities`. */
  readonly subject: number;
  readonly predicate: FactPredicate;
  readonly object: number;
  /** The words that state it. */
  readonly statement: string;
  readonly confidence: number;
  /** ISO date with the precision of the text. */
  readonly validFrom?: string;
  readonly validTo?: string;
}

/** A fact about whoever says "I", or about "the user". */
export interface SpeakerFact {
  readonly about: 'author' | 'user';
  readonly predicate: SpeakerPredicate;
  /** In the words of the text. */
  readonly object: string;
  /** The type of the entity that the object names; null: it is a value. */
  readonly objectType: EntityType | null;
  /** The sentence that states it. */
  readonly statement: string;
  readonly confidence: number;
  /** It held before, and does not any more when the text is written. */
  readonly isEnded: boolean;
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

export const statementKinds = ['fact', 'preference', 'decision', 'plan'] as const;

export type StatementKind = (typeof statementKinds)[number];

/** A turn of a conversation. */
export interface Turn {
  /** `user`, `assistant`, or another name of a role. */
  readonly role: string;
  /** The person that "I" refers to. */
  readonly speaker?: string | undefined;
  readonly text: string;
  readonly at: Date;
  /** Read before: it explains other turns, and nothing is derived from it alone. */
  readonly isKnown?: boolean;
}

/** Something that was known before the conversation, and who said it. */
export interface KnownStatement {
  readonly id: string;
  readonly content: string;
  readonly speaker?: string | undefined;
}

export interface Conversation {
  readonly turns: readonly Turn[];
  /** Finds what is known and near to a text, the nearest first. */
  findKnown(text: string): Promise<readonly KnownStatement[]>;
}

/** What a conversation says that holds beyond it. */
export interface Statement {
  readonly content: string;
  readonly kind: StatementKind;
  readonly speaker?: string | undefined;
  /** Indices of the turns that say it, in their order; at least one. */
  readonly turns: readonly number[];
  /** The id of what was known and is outdated by it. */
  readonly replaces?: string;
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
