import { copyToCapacity, nextCapacity } from './capacity.ts';

/** A list of integers in a typed array; it only grows, until it is cleared. */
export class GrowingInts {
  // Eight fit into the array object itself: larger arrays cost 200 bytes more, even when empty.
  #values = new Int32Array(8);
  length = 0;

  /** @param values of which the first `length` are the list; the array becomes part of it */
  static from(values: Int32Array<ArrayBuffer>, length: number): GrowingInts {
    const list = new GrowingInts();
    // It grows when it is full.
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

  /** @param index of a number that was pushed before */
  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** The values so far: a view that the next push may make stale. */
  view(): Int32Array {
    return this.#values.subarray(0, this.length);
  }

  /** Keeps its memory. */
  clear(): void {
    this.length = 0;
  }
}
