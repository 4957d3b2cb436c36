import { passagesOf } from '../../text/passages.ts';
import { termsOf } from '../../text/terms.ts';

type DocumentKind = 'memory';

/** The filterable side of a document; changes without new content touch only this. */
export interface DocumentFacts {
  readonly accountId: string;
  readonly id: string;
  readonly kind: DocumentKind;
  readonly spaceId: string | null;
  readonly sessionId: string | null;
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

/** The searchable side: analysed text and unit vector. */
export interface DocumentContent {
  readonly terms: string;
  readonly model: string;
  readonly vector: Float32Array;
}

export interface PassageTerms {
  /** Content words, without compounds. */
  readonly length: number;
  readonly terms: readonly { readonly term: string; readonly count: number }[];
}

/**
 * Analyses a text once, when it is written; what it says is stored, so that loading an index
 * never has to analyse again. One line a passage: its length, then each term and its count.
 */
export function analyse(text: string): string {
  return passagesOf(text)
    .map((passage) => {
      const { words, compounds } = termsOf(passage);
      const counts = new Map<string, number>();
      for (const term of words) counts.set(term, (counts.get(term) ?? 0) + 1);
      for (const term of compounds) counts.set(term, (counts.get(term) ?? 0) + 1);
      const pairs = [...counts].map(([term, count]) => `${term} ${count}`);
      return [String(words.length), ...pairs].join(' ');
    })
    .join('\n');
}

/** The inverse of `analyse`. */
export function readAnalysis(stored: string): PassageTerms[] {
  return stored.split('\n').map((line) => {
    const parts = line.split(' ');
    const terms: { term: string; count: number }[] = [];
    for (let i = 1; i + 1 < parts.length; i += 2) {
      terms.push({ term: parts[i] ?? '', count: Number(parts[i + 1]) });
    }
    return { length: Number(parts[0]), terms };
  });
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
export const inverseFrequency = (documents: number, frequency: number): number =>
  Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
