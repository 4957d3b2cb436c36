/** Numbers that only grow at the end, in a typed array that doubles. */
export class GrowingInts {
  #values: Int32Array;
  length = 0;

  constructor(room = 8) {
    this.#values = new Int32Array(room);
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.length] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** The values so far: a view that the next push may leave behind. */
  view(): Int32Array {
    return this.#values.subarray(0, this.length);
  }
}

/** Where a term occurs: passages in the order they were added, with counts beside. */
export interface Posting {
  readonly passages: GrowingInts;
  readonly counts: GrowingInts;
  /** Live documents that hold the term. */
  documents: number;
  /** The chance that any English text holds it. */
  readonly chance: number;
}

export const emptyPosting = (chance: number): Posting => ({
  passages: new GrowingInts(2),
  counts: new GrowingInts(2),
  documents: 0,
  chance,
});
