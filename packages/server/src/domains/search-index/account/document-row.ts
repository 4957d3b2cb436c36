/** A document row of the tables. `terms` is null where the document is removed or hidden. */
export interface DocumentRow {
  readonly id: string;
  readonly kind: string;
  readonly space_id: string | null;
  readonly user_id: string | null;
  readonly agent_id: string | null;
  readonly run_id: string | null;
  readonly session_id: string | null;
  /** Its position in the session, in the order of the turns. */
  readonly session_ordinal: number | null;
  readonly speaker: string | null;
  readonly role: string | null;
  readonly content_type: string;
  readonly tags: readonly string[];
  readonly priority: number;
  readonly salience: number | null;
  readonly salience_at: Date | null;
  readonly pinned: boolean;
  readonly occurred_at: Date | null;
  readonly created_at: Date;
  /** Ids of the documents that supersede it. */
  readonly superseded_by: readonly string[];
  /** Ids of the documents that probably outdate it. */
  readonly likely_superseded_by: readonly string[];
  /** Since when no fact that it states holds. */
  readonly facts_ended_at: Date | null;
  /** Ids of the documents that say so. */
  readonly facts_ended_by: readonly string[];
  /** Position of its last change other than that of its vector alone. */
  readonly position: number;
  readonly terms: string | null;
  readonly vector: Uint8Array | null;
  /** The vectors of its passages, one after the other; null: none, or not yet. */
  readonly passages: Uint8Array | null;
}

/** New vectors of a document; null: those that it has stay. */
export interface VectorRow {
  readonly id: string;
  readonly vector: Uint8Array | null;
  /** Of its passages, one after the other. */
  readonly passages: Uint8Array | null;
}
