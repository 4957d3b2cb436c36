import { passagesPerVector, passageVectorCount } from '../passage-vectors.ts';
import type { VectorArena } from './arena.ts';
import type { SearchScope } from './spaces.ts';
import { type CentredQuery, Vectors } from './vectors.ts';

/** The vectors of a document's passages: consecutive ones of the account. */
export interface PassageVectorRange {
  /** Number of the first vector. */
  readonly first: number;
  readonly count: number;
  /** Consecutive passages that share one. */
  readonly passagesPerVector: number;
}

/**
 * The vectors of passages of one account's long texts. Without long texts it uses no memory. A
 * removed document leaves its vectors behind until the account is loaded again.
 */
export class PassageVectors {
  readonly #dimensions: number;
  readonly #vectors: Vectors;
  /** By document number. */
  readonly #ranges = new Map<number, PassageVectorRange>();
  #length = 0;
  #inverseNorms = new Float32Array(0);
  #cosines = new Float32Array(0);
  #centred = new Float32Array(0);
  #centredRevision = -1;

  constructor(arena: VectorArena, dimensions: number) {
    this.#dimensions = dimensions;
    this.#vectors = new Vectors(arena, dimensions);
  }

  /** Number of vectors, including those of removed documents. */
  get length(): number {
    return this.#length;
  }

  /** Of the vectors and what is computed for each. */
  get byteLength(): number {
    return this.#vectors.byteLength + 3 * this.#inverseNorms.byteLength;
  }

  /** Documents with vectors of passages, each with their range. */
  get ranges(): ReadonlyMap<number, PassageVectorRange> {
    return this.#ranges;
  }

  /**
   * Sets the vectors of a document.
   * @param bytes one vector after the other; of another number of passages they are ignored
   */
  set(document: number, passages: number, bytes: Uint8Array): void {
    const count = passageVectorCount(passages);
    if (bytes.length !== count * this.#dimensions) return;
    const known = this.#ranges.get(document);
    const first = known?.count === count ? known.first : this.#allocate(document, count);
    for (let i = 0; i < count; i += 1) {
      const own = bytes.subarray(i * this.#dimensions, (i + 1) * this.#dimensions);
      this.#inverseNorms[first + i] = this.#vectors.set(first + i, own);
    }
    this.#ranges.set(document, { first, count, passagesPerVector: passagesPerVector(passages) });
    this.#centredRevision = -1;
  }

  /** The bytes of a vector: a view that must be read at once; then 1 / its length. */
  vectorAt(number: number): readonly [bytes: Int8Array, inverseNorm: number] {
    return [this.#vectors.get(number), this.#inverseNorms[number] as number];
  }

  /** Adds the vectors of a document of a segment. */
  restore(document: number, passagesPerVector: number, inverseNorms: Float32Array): void {
    const first = this.#allocate(document, inverseNorms.length);
    this.#inverseNorms.set(inverseNorms, first);
    this.#ranges.set(document, { first, count: inverseNorms.length, passagesPerVector });
  }

  /** Sets the bytes of vectors of a segment. */
  restoreVectors(first: number, bytes: Int8Array): void {
    this.#vectors.addAll(first, bytes);
  }

  remove(document: number): void {
    const range = this.#ranges.get(document);
    if (!range) return;
    this.#inverseNorms.fill(0, range.first, range.first + range.count);
    this.#ranges.delete(document);
  }

  /**
   * Cosines of the query and each vector, both minus the scope's mean, as `beginCosines`; 0
   * without a vector. Valid until the next call.
   * @param numbers of the vectors; null: all
   * @param revision of the account: values of another revision are stale
   */
  cosines(
    query: CentredQuery,
    scope: SearchScope,
    numbers: Int32Array | null,
    revision: number,
  ): Float32Array {
    const out = this.#cosines;
    const centred = this.#centredLengths(scope, numbers, revision);
    const lengths = { inverseNorms: this.#inverseNorms, centred };
    if (numbers) this.#vectors.cosinesOf(query, lengths, numbers, out);
    else this.#vectors.beginCosines(query, lengths, out)();
    return out;
  }

  free(): void {
    this.#vectors.free();
  }

  /** |v − m| of each unit vector v and the scope's mean m; cached for the whole account. */
  #centredLengths(
    { meanVector, isWholeAccount }: SearchScope,
    numbers: Int32Array | null,
    revision: number,
  ): Float32Array {
    const out = this.#centred;
    if (isWholeAccount && this.#centredRevision === revision) return out;
    if (numbers) this.#vectors.dotProductsFor(meanVector, this.#inverseNorms, numbers, out);
    else this.#vectors.dotProducts(meanVector, this.#inverseNorms, out);
    const square = meanVector.reduce((sum, value) => sum + value * value, 0);
    const centre = (number: number): void => {
      out[number] = Math.sqrt(Math.max(0, 1 - 2 * (out[number] as number) + square));
    };
    if (numbers) for (const number of numbers) centre(number);
    else for (let number = 0; number < this.length; number += 1) centre(number);
    this.#centredRevision = isWholeAccount && numbers === null ? revision : -1;
    return out;
  }

  #allocate(document: number, count: number): number {
    this.remove(document);
    const first = this.#length;
    this.#length += count;
    if (this.#length > this.#inverseNorms.length) {
      const wider = Math.ceil(this.#length * 1.25);
      const norms = new Float32Array(wider);
      norms.set(this.#inverseNorms);
      this.#inverseNorms = norms;
      this.#cosines = new Float32Array(wider);
      this.#centred = new Float32Array(wider);
      this.#centredRevision = -1;
    }
    return first;
  }
}
