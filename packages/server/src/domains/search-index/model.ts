/**
 * Kinds are searched separately, each with its own statistics: words of recordings do not become
 * common among memories.
 */
export type DocumentKind = 'memory' | 'audio_segment';

/** The filterable fields of a document; a change without new content writes only these. */
export interface DocumentAttributes {
  readonly accountId: string;
  readonly id: string;
  readonly kind: DocumentKind;
  readonly spaceId: string | null;
  /** Whom it belongs to; null: nobody. */
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly runId: string | null;
  readonly sessionId: string | null;
  /** Its position in the session. */
  readonly sessionOrdinal: number | null;
  /** Name of the speaker; then the role: user, assistant … */
  readonly speaker: string | null;
  readonly role: string | null;
  readonly contentType: string;
  readonly tags: readonly string[];
  readonly priority: number;
  readonly pinned: boolean;
  readonly salience: number | null;
  readonly salienceAt: Date | null;
  readonly occurredAt: Date | null;
  readonly createdAt: Date;
  /** Soft-deleted: stored, but not found by searches. */
  readonly hidden: boolean;
}

/** A unit vector and its model. */
interface ModelVector {
  readonly model: string;
  readonly vector: Float32Array;
  /** An approximation, which the encoding worker replaces. */
  readonly isProvisional: boolean;
}

/** The searchable fields: analysed text and its vectors, one per model. */
export interface DocumentContent {
  readonly terms: string;
  readonly vectors: readonly ModelVector[];
  /**
   * The models that it has vectors of or that this process cannot run; the account's model is among
   * them. If there are two, the second is the one that the account is being switched to.
   */
  readonly models: readonly string[];
}

/**
 * One signed byte per dimension, scaled so that the largest magnitude is 127. The length is lost,
 * but a cosine does not need it; the error of a cosine stays below .01 at 192 dimensions.
 */
export function quantiseVector(vector: Float32Array): Int8Array {
  let largest = 0;
  for (let i = 0; i < vector.length; i += 1) {
    largest = Math.max(largest, Math.abs(vector[i] as number));
  }
  const scale = largest > 0 ? 127 / largest : 0;
  const bytes = new Int8Array(vector.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Math.round((vector[i] as number) * scale);
  return bytes;
}

/** BM25's inverse document frequency, never negative: ln(1 + (N − df + ½) / (df + ½)). */
export const inverseDocumentFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

/** Since when no fact that a document states holds, and the documents that say so. */
export interface FactsEnd {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly by: readonly string[];
}

/** What supersedes a document, certainly and probably, and its facts; what is left out stays. */
export interface Successors {
  readonly id: string;
  readonly supersededBy?: readonly string[];
  readonly likelySupersededBy?: readonly string[];
  /** Null: it states none, or one that holds. */
  readonly factsEnd?: FactsEnd | null;
}
