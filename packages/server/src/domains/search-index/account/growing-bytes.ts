import { copyToCapacity, nextCapacity } from './capacity.ts';

/**
 * A list of integers of 0 to 255 in a typed array; it only grows. A class of its own: with two
 * kinds of arrays in one, V8 would check the kind at each access.
 */
export class GrowingBytes {
  // As many as fit into the array object itself.
  #values = new Uint8Array(64);
  length = 0;

  /** @param values of which the first `length` are the list; the array becomes part of it */
  static from(values: Uint8Array<ArrayBuffer>, length: number): GrowingBytes {
    const list = new GrowingBytes();
    if (length > 0) list.#values = values;
    list.length = length;
    return list;
  }

  /** Including what is empty. */
  get byteLength(): number {
    return this.#values.byteLength;
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      this.#values = copyToCapacity(this.#values, nextCapacity(this.length));
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** The values so far: a view that the next push may make stale. */
  view(): Uint8Array {
    return this.#values.subarray(0, this.length);
  }
}
