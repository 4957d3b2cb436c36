import type { EntityType } from '@mneme/contract';
import type { ExtractedEntity, ExtractedFact } from '../../providers/language/index.ts';

export interface GraphEntity extends ExtractedEntity {
  /** Who says "I": found by this key, and not by the name. */
  readonly speakerKey?: string;
}

export interface GraphFact extends Omit<ExtractedFact, 'predicate' | 'object'> {
  readonly predicate: string;
  /** The index of an entity; null: the object is a value. */
  readonly object: number | null;
  readonly value?: string;
  /** The fact had ended by then. */
  readonly endedAt?: Date;
}

export interface GraphExtraction {
  readonly entities: readonly GraphEntity[];
  readonly facts: readonly GraphFact[];
}

/** An entity as a text names it. */
export interface NamedEntity {
  readonly spaceId: string | null;
  readonly type: EntityType;
  readonly name: string;
  /** All forms of the name in the text. */
  readonly variants: readonly string[];
  /** Who says "I". */
  readonly speakerKey?: string;
}
