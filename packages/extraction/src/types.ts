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
