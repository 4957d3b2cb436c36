import { copyToCapacity, nextCapacity } from './capacity.ts';
import { GrowingInts } from './growing-ints.ts';

/** A range of time: epoch milliseconds, the end not included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The time ranges that texts mention, by document: [from, to) pairs, all in one array. */
export class TimeRanges {
  /** By document: where its values begin, after their number; 0 where there are none. */
  #starts = new GrowingInts();
  #values = new Float64Array(8);
  /** No list begins at 0. */
  #end = 1;

  get byteLength(): number {
    return this.#starts.byteLength + this.#values.byteLength;
  }

  /** Adds the pairs of the next document. */
  push(pairs: Float64Array): void {
    this.#starts.push(pairs.length > 0 ? this.#end : 0);
    if (pairs.length === 0) return;
    const end = this.#end + 1 + pairs.length;
    if (end > this.#values.length) {
      const capacity = Math.max(end, nextCapacity(this.#values.length));
      this.#values = copyToCapacity(this.#values, capacity);
    }
    this.#values[this.#end] = pairs.length;
    this.#values.set(pairs, this.#end + 1);
    this.#end = end;
  }

  /** The document is dead: its values stay until the account is loaded again. */
  clear(document: number): void {
    this.#starts.set(document, 0);
  }

  /** The pairs of a document, null without any: a view that the next push may make stale. */
  get(document: number): Float64Array | null {
    const start = this.#starts.at(document);
    if (start === 0) return null;
    return this.#values.subarray(start + 1, start + 1 + (this.#values[start] as number));
  }

  /** Whether the text mentions a time in one of these ranges. */
  overlap(document: number, times: readonly Range[]): boolean {
    const start = this.#starts.at(document);
    if (start === 0) return false;
    const end = start + (this.#values[start] as number);
    for (let i = start + 1; i < end; i += 2) {
      const [from, to] = [this.#values[i] as number, this.#values[i + 1] as number];
      if (times.some((time) => from < time.to && time.from < to)) return true;
    }
    return false;
  }
}
