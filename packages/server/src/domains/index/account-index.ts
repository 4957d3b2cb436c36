import { type PassageTerms, readAnalysis } from './model.ts';
import { emptyPosting, GrowingInts, type Posting } from './postings.ts';

/** A document as it is read from the tables; `terms` null: it was removed or is hidden. */
export interface DocumentRow {
  readonly id: string;
  readonly kind: string;
  readonly space_id: string | null;
  readonly session_id: string | null;
  readonly content_type: string;
  readonly tags: readonly string[];
  readonly priority: number;
  readonly salience: number | null;
  readonly salience_at: Date | null;
  readonly pinned: boolean;
  readonly occurred_at: Date | null;
  readonly created_at: Date;
  readonly terms: string | null;
  readonly vector: Uint8Array | null;
}

/** What the index keeps of a document, beside its place in the typed arrays. */
export interface IndexedDocument {
  readonly id: string;
  readonly spaceId: string | null;
  readonly sessionId: string | null;
  readonly contentType: string;
  readonly tags: ReadonlySet<string>;
  readonly priority: number;
  salience: number | null;
  salienceAt: number;
  readonly pinned: boolean;
  readonly occurredAt: number;
  readonly createdAt: number;
  /** Content words over all passages. */
  readonly length: number;
  /** Numbers of its distinct terms. */
  readonly terms: Int32Array;
}

/**
 * One account's documents in memory, derived from the tables and caught up to the account's
 * last position before each search. Documents have numbers; a changed document gets a new one
 * and the old number dies, so that posting lists only ever grow at their ends.
 */
export class AccountIndex {
  readonly dimensions: number;
  position = 0;
  /** By document number; undefined where it died. */
  readonly documents: (IndexedDocument | undefined)[] = [];
  /** By passage number: its document, its length in words. */
  readonly passageDocument = new GrowingInts(256);
  readonly passageLength = new GrowingInts(256);
  liveCount = 0;
  #numbers = new Map<string, number>();
  #termNumbers = new Map<string, number>();
  #postings: Posting[] = [];
  #vectors: Int8Array;
  /** 1 / length of each vector; 0 where there is none. */
  readonly inverseNorms: number[] = [];

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#vectors = new Int8Array(dimensions * 64);
  }

  /** Mostly dead numbers make searches slow: then loading afresh is better. */
  get isWorn(): boolean {
    return this.documents.length > 1_000 && this.liveCount < this.documents.length / 2;
  }

  posting(term: string): Posting | undefined {
    const number = this.#termNumbers.get(term);
    return number === undefined ? undefined : this.#postings[number];
  }

  /** Live documents that hold a term, by the term's number. */
  documentFrequency(termNumber: number): number {
    return this.#postings[termNumber]?.documents ?? 0;
  }

  document(id: string): IndexedDocument | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.documents[number];
  }

  apply(row: DocumentRow): void {
    const before = this.#numbers.get(row.id);
    if (before !== undefined) this.#remove(row.id, before);
    if (row.terms !== null) this.#add(row, readAnalysis(row.terms));
  }

  /** Cosine of a unit query vector and a document's vector. */
  cosine(query: Float32Array, number: number): number {
    const inverse = this.inverseNorms[number] ?? 0;
    if (inverse === 0) return 0;
    const vectors = this.#vectors;
    const from = number * this.dimensions;
    let sum = 0;
    for (let i = 0; i < query.length; i += 1) {
      sum += (query[i] as number) * (vectors[from + i] as number);
    }
    return sum * inverse;
  }

  #remove(id: string, number: number): void {
    const document = this.documents[number];
    if (!document) return;
    for (const term of document.terms) {
      const posting = this.#postings[term];
      if (posting) posting.documents -= 1;
    }
    this.documents[number] = undefined;
    this.inverseNorms[number] = 0;
    this.#numbers.delete(id);
    this.liveCount -= 1;
  }

  #add(row: DocumentRow, passages: readonly PassageTerms[]): void {
    const number = this.documents.length;
    const terms = new Set<number>();
    let length = 0;
    for (const passage of passages) {
      const place = this.passageDocument.length;
      this.passageDocument.push(number);
      this.passageLength.push(passage.length);
      length += passage.length;
      for (const { term, count } of passage.terms) {
        const termNumber = this.#termNumber(term);
        terms.add(termNumber);
        const posting = this.#postings[termNumber];
        posting?.passages.push(place);
        posting?.counts.push(count);
      }
    }
    for (const term of terms) {
      const posting = this.#postings[term];
      if (posting) posting.documents += 1;
    }
    this.documents.push({
      id: row.id,
      spaceId: row.space_id,
      sessionId: row.session_id,
      contentType: row.content_type,
      tags: new Set(row.tags),
      priority: row.priority,
      salience: row.salience,
      salienceAt: row.salience_at?.getTime() ?? 0,
      pinned: row.pinned,
      occurredAt: row.occurred_at?.getTime() ?? row.created_at.getTime(),
      createdAt: row.created_at.getTime(),
      length,
      terms: Int32Array.from(terms),
    });
    this.#numbers.set(row.id, number);
    this.#storeVector(number, row.vector);
    this.liveCount += 1;
  }

  #termNumber(term: string): number {
    const known = this.#termNumbers.get(term);
    if (known !== undefined) return known;
    const number = this.#postings.length;
    this.#termNumbers.set(term, number);
    this.#postings.push(emptyPosting());
    return number;
  }

  #storeVector(number: number, bytes: Uint8Array | null): void {
    const from = number * this.dimensions;
    if (from + this.dimensions > this.#vectors.length) {
      const wider = new Int8Array(this.#vectors.length * 2);
      wider.set(this.#vectors);
      this.#vectors = wider;
    }
    let sum = 0;
    if (bytes?.length === this.dimensions) {
      const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      this.#vectors.set(signed, from);
      for (const value of signed) sum += value * value;
    }
    this.inverseNorms[number] = sum > 0 ? 1 / Math.sqrt(sum) : 0;
  }
}
