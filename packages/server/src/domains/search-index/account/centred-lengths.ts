import { copyToCapacity, nextCapacity } from './capacity.ts';
import type { DocumentColumns } from './columns.ts';
import type { SearchScope, SpaceCounts } from './spaces.ts';
import type { Vectors } from './vectors.ts';

/**
 * |d − m| for each document's unit vector d and a scope's mean m, as √(1 − 2 d·m + |m|²).
 * Recomputed only after a change; cached for the whole account and for single spaces.
 */
export class CentredLengths {
  readonly #columns: DocumentColumns;
  readonly #vectors: Vectors;
  #accountLengths = new Float32Array(0);
  #accountRevision = -1;
  #spaceLengths = new Float32Array(0);

  constructor(columns: DocumentColumns, vectors: Vectors) {
    this.#columns = columns;
    this.#vectors = vectors;
  }

  get byteLength(): number {
    return this.#accountLengths.byteLength + this.#spaceLengths.byteLength;
  }

  /** @param revision of the account: values computed for another revision are stale */
  get(scope: SearchScope, revision: number): Float32Array {
    const columns = this.#columns;
    const [only] = scope.spaces;
    if (scope.isWholeAccount) {
      if (this.#accountRevision !== revision) {
        this.#accountLengths = ensureCapacity(this.#accountLengths, columns.length);
        this.#fillAll(this.#accountLengths, scope);
        this.#accountRevision = revision;
      }
      return this.#accountLengths;
    }
    if (only && scope.spaces.length === 1) {
      this.#spaceLengths = ensureCapacity(this.#spaceLengths, columns.length);
      if (only.centredRevision !== only.revision) {
        this.#fillSpace(this.#spaceLengths, only, scope);
        only.centredRevision = only.revision;
      }
      return this.#spaceLengths;
    }
    const lengths = new Float32Array(columns.length);
    this.#fillAll(lengths, scope);
    return lengths;
  }

  #fillAll(out: Float32Array, { meanVector }: SearchScope): void {
    const [columns, vectors] = [this.#columns, this.#vectors];
    vectors.dotProducts(meanVector, columns.inverseNorm, out);
    const square = squareOf(meanVector);
    for (let i = 0; i < columns.length; i += 1) out[i] = centredLength(out[i] as number, square);
  }

  #fillSpace(out: Float32Array, { documents }: SpaceCounts, { meanVector }: SearchScope): void {
    const [columns, vectors] = [this.#columns, this.#vectors];
    vectors.dotProductsFor(meanVector, columns.inverseNorm, documents.view(), out);
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

/** Returns the array, or a larger copy of it if it is too short for all documents. */
function ensureCapacity(
  array: Float32Array<ArrayBuffer>,
  documents: number,
): Float32Array<ArrayBuffer> {
  if (array.length >= documents) return array;
  return copyToCapacity(array, Math.max(documents, nextCapacity(array.length)));
}
