/**
 * Kinds are searched apart, each with statistics of its own: what is said in a recording makes no
 * word of the memories common.
 */
export type DocumentKind = 'memory' | 'audio_segment';

/** The filterable side of a document; changes without new content touch only this. */
export interface DocumentFacts {
  readonly accountId: string;
  readonly id: string;
  readonly kind: DocumentKind;
  readonly spaceId: string | null;
  readonly sessionId: string | null;
  /** Its place in the session. */
  readonly sessionOrdinal: number | null;
  /** Who said it, by name; and as what: user, assistant … */
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
  /** Softly deleted: kept, and found by no search. */
  readonly hidden: boolean;
}

/** A unit vector, and whose it is. */
interface ModelVector {
  readonly model: string;
  readonly vector: Float32Array;
}

/** The searchable side: analysed text and its vectors, one for each model. */
export interface DocumentContent {
  readonly terms: string;
  readonly vectors: readonly ModelVector[];
  /**
   * What it has vectors of, and what cannot be made here: the account's model is among them. Where
   * there are two, the second is the one that the account is to change to.
   */
  readonly models: readonly string[];
}

/**
 * One signed byte a dimension, scaled so that the largest magnitude is 127. The length is lost,
 * which a cosine does not need; its error stays below .01 at 192 dimensions.
 */
export function quantise(vector: Float32Array): Int8Array {
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
