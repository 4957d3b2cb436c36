/** What formats read from files, with the ids and times of the source. */

interface Times {
  /** Null if the source does not have it. */
  readonly createdAt: Date | null;
  /** At the latest: the time of the file. */
  readonly updatedAt: Date;
}

export interface Owner {
  readonly user_id?: string;
  readonly agent_id?: string;
  readonly run_id?: string;
}

export interface MemoryItem extends Times {
  readonly type: 'memory';
  /** Unique within the source. */
  readonly id: string;
  readonly content: string;
  readonly contentType: 'text' | 'markdown';
  readonly occurredAt: Date | null;
  readonly expiresAt?: Date;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly priority?: number;
  readonly owner: Owner;
  /** Names of entities that it is about. */
  readonly mentions?: readonly string[];
  readonly place: string;
}

export interface Turn {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly at: Date | null;
}

export interface ConversationItem extends Times {
  readonly type: 'conversation';
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly turns: readonly Turn[];
  readonly place: string;
}

export interface EntityItem {
  readonly type: 'entity';
  readonly name: string;
  /** As the source names it. */
  readonly entityType: string;
}

/** A statement about two entities, which are read before or after it. */
export interface RelationItem {
  readonly type: 'relation';
  readonly from: string;
  readonly relation: string;
  readonly to: string;
  /** The time of the file. */
  readonly updatedAt: Date;
  readonly place: string;
}

/** A reference from a memory to another one, by their ids. */
export interface LinkItem {
  readonly type: 'link';
  readonly from: string;
  readonly to: string;
}

/** Why something of a file is not imported. */
export type SkipReason =
  | 'alternative_branch'
  | 'broken_tree'
  | 'content_missing'
  | 'empty'
  | 'front_matter_invalid'
  | 'invalid_encoding'
  | 'invalid_json'
  | 'invalid_record'
  | 'item_too_large'
  | 'metadata_too_large'
  | 'name_not_utf8'
  | 'no_file'
  | 'repeated'
  | 'symbolic_link'
  | 'truncated_file'
  | 'unreadable_file';

export interface SkippedItem {
  readonly type: 'skipped';
  readonly reason: SkipReason;
  /** A file with a line, an index or an id. */
  readonly place: string;
  /** How many things of this place. */
  readonly count: number;
}

export type Item =
  | MemoryItem
  | ConversationItem
  | EntityItem
  | RelationItem
  | LinkItem
  | SkippedItem;

export const skipped = (reason: SkipReason, place: string, count = 1): SkippedItem => ({
  type: 'skipped',
  reason,
  place,
  count,
});
