import type { PostingList } from '../account/postings.ts';

/** Finds passages in a posting list: fastest near the ones that it found last. */
export class PostingCursor {
  readonly #passages: Int32Array;
  readonly #counts: Uint8Array;
  #at = 0;

  constructor({ passages, counts }: PostingList) {
    this.#passages = passages;
    this.#counts = counts;
  }

  /** The sum of the counts of these passages. */
  countIn(from: number, end: number): number {
    let sum = 0;
    for (let at = this.#seek(from); at < this.#passages.length; at += 1) {
      if ((this.#passages[at] as number) >= end) break;
      sum += this.#counts[at] as number;
    }
    return sum;
  }

  /** Calls back with each of these passages that the list has, and its count. */
  eachIn(from: number, end: number, visit: (passage: number, count: number) => void): void {
    for (let at = this.#seek(from); at < this.#passages.length; at += 1) {
      const passage = this.#passages[at] as number;
      if (passage >= end) break;
      visit(passage, this.#counts[at] as number);
    }
  }

  /** Where the first passage is that is not before this one; galloping (Bentley & Yao 1976). */
  #seek(passage: number): number {
    const passages = this.#passages;
    let [low, high] = [this.#at, this.#at];
    for (let step = 1; high < passages.length && (passages[high] as number) < passage; step *= 2) {
      low = high + 1;
      high += step;
    }
    for (let step = 1; low > 0 && (passages[low - 1] as number) >= passage; step *= 2) {
      high = low - 1;
      low = Math.max(0, low - step);
    }
    high = Math.min(high, passages.length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((passages[middle] as number) < passage) low = middle + 1;
      else high = middle;
    }
    this.#at = low;
    return low;
  }
}
