import type { Columns } from './columns.ts';
import type { Scope, SpaceCounts } from './spaces.ts';
import type { Vectors } from './vectors.ts';

/**
 * |d − m| of each document's unit vector d and a scope's mean m, as √(1 − 2 d·m + |m|²). Made
 * anew only after a change; of a whole account and of single spaces it is kept.
 */
export class CentredLengths {
  readonly #columns: Columns;
  readonly #vectors: Vectors;
  #ofAll = new Float32Array(0);
  #madeForAll = -1;
  #ofOwn = new Float32Array(0);

  constructor(columns: Columns, vectors: Vectors) {
    this.#columns = columns;
    this.#vectors = vectors;
  }

  /** @param revision of the account: what was made for another one is stale */
  of(scope: Scope, revision: number): Float32Array {
    const columns = this.#columns;
    const [only] = scope.spaces;
    if (scope.everything) {
      if (this.#madeForAll !== revision) {
        this.#ofAll = ensureCapacity(this.#ofAll, columns.length);
        this.#fillAll(this.#ofAll, scope);
        this.#madeForAll = revision;
      }
      return this.#ofAll;
    }
    if (only && scope.spaces.length === 1) {
      this.#ofOwn = ensureCapacity(this.#ofOwn, columns.length);
      if (only.centredAt !== only.revision) {
        this.#fillSpace(this.#ofOwn, only, scope);
        only.centredAt = only.revision;
      }
      return this.#ofOwn;
    }
    const some = new Float32Array(columns.length);
    this.#fillAll(some, scope);
    return some;
  }

  #fillAll(out: Float32Array, { meanVector }: Scope): void {
    const [columns, vectors] = [this.#columns, this.#vectors];
    vectors.dots(meanVector, columns.inverseNorm, out);
    const square = squareOf(meanVector);
    for (let i = 0; i < columns.length; i += 1) out[i] = centredLength(out[i] as number, square);
  }

  #fillSpace(out: Float32Array, { documents }: SpaceCounts, { meanVector }: Scope): void {
    const [columns, vectors] = [this.#columns, this.#vectors];
    vectors.dotsOf(meanVector, columns.inverseNorm, documents.view(), out);
    const square = squareOf(meanVector);
    for (const document of documents.view()) {
      out[document] = centredLength(out[document] as number, square);
    }
  }
}

const squareOf = (vector: Float32Array): number =>
  vector.reduce((sum, value) => sum + value * value, 0);

const centredLength = (onMean: number, square: number): number =>
  Math.sqrt(Math.max(0, 1 - 2 * onMean + square));

/** The array, or a wider one that holds the same, where it has no room for all documents. */
function ensureCapacity(
  array: Float32Array<ArrayBuffer>,
  documents: number,
): Float32Array<ArrayBuffer> {
  if (array.length >= documents) return array;
  const wider = new Float32Array(Math.max(documents, array.length * 2));
  wider.set(array);
  return wider;
}
