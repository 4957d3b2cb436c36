import { copyToCapacity, nextCapacity } from './capacity.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { GrowingInts } from './growing-ints.ts';

/** Occurrences of a term: passages in the order in which they were added, with their counts. */
export interface PostingList {
  /** Views that the next push may make stale. */
  readonly passages: Int32Array;
  /** At most `countMax` each. */
  readonly counts: Uint8Array;
}

interface LongList {
  readonly passages: GrowingInts;
  readonly counts: GrowingBytes;
}

/** A count is a byte: one that is larger says no more about a passage of some hundred words. */
export const countMax = 255;

/** Longer lists have arrays of their own. */
const sharedListMax = 32;

/**
 * The postings of an account's terms, by term number. Most terms occur in one or two passages, and
 * an array costs about 200 bytes before it contains anything. Short lists therefore share an array
 * of passages and one of counts: each has a slot of capacity 1, 2, 4 … 32 in both, and moves to a
 * larger slot when it is full.
 */
export class Postings {
  #passages = new Int32Array(16);
  #counts = new Uint8Array(16);
  #end = 0;
  readonly #lengths = new GrowingInts();
  readonly #offsets = new GrowingInts();
  /** Free slots, by their capacity. */
  readonly #freeSlots = new Map<number, number[]>();
  readonly #long = new Map<number, LongList>();

  /**
   * Takes the lists of a segment, whose slots lie one after the other. Longer ones get arrays of
   * their own when they grow.
   */
  restore(
    lengths: GrowingInts,
    passages: Int32Array<ArrayBuffer>,
    counts: Uint8Array<ArrayBuffer>,
  ): void {
    this.#passages = passages;
    this.#counts = counts;
    for (const length of lengths.view()) {
      this.#lengths.push(length);
      this.#offsets.push(this.#end);
      this.#end += slotCapacity(length);
    }
  }

  /** Including what is empty. */
  get byteLength(): number {
    const shared = this.#passages.byteLength + this.#counts.byteLength;
    let bytes = shared + this.#lengths.byteLength + this.#offsets.byteLength;
    for (const { passages, counts } of this.#long.values()) {
      bytes += passages.byteLength + counts.byteLength;
    }
    return bytes;
  }

  /** Number of lists that have arrays of their own. */
  get longLists(): number {
    return this.#long.size;
  }

  /** Returns the number of a new, empty list. */
  add(): number {
    this.#lengths.push(0);
    this.#offsets.push(0);
    return this.#lengths.length - 1;
  }

  push(list: number, passage: number, count: number): void {
    const length = this.#lengths.at(list);
    this.#lengths.set(list, length + 1);
    if (length >= sharedListMax) {
      const { passages, counts } = this.#longList(list, length);
      passages.push(passage);
      counts.push(Math.min(count, countMax));
      return;
    }
    if (length === 0 || length === slotCapacity(length)) this.#growSlot(list, length);
    const slot = this.#offsets.at(list);
    this.#passages[slot + length] = passage;
    this.#counts[slot + length] = Math.min(count, countMax);
  }

  get(list: number): PostingList {
    const length = this.#lengths.at(list);
    const long = this.#long.get(list);
    if (long) return { passages: long.passages.view(), counts: long.counts.view() };
    const slot = this.#offsets.at(list);
    return {
      passages: this.#passages.subarray(slot, slot + length),
      counts: this.#counts.subarray(slot, slot + length),
    };
  }

  /** Moves a full list to a slot of twice the capacity. */
  #growSlot(list: number, length: number): void {
    const capacity = slotCapacity(length + 1);
    const from = this.#offsets.at(list);
    const to = this.#allocate(capacity);
    this.#passages.copyWithin(to, from, from + length);
    this.#counts.copyWithin(to, from, from + length);
    if (length > 0) this.#free(from, length);
    this.#offsets.set(list, to);
  }

  #longList(list: number, length: number): LongList {
    const existing = this.#long.get(list);
    if (existing) return existing;
    const slot = this.#offsets.at(list);
    const created = {
      passages: GrowingInts.from(this.#passages.slice(slot, slot + length), length),
      counts: GrowingBytes.from(this.#counts.slice(slot, slot + length), length),
    };
    // The slot of a longer list of a segment fits no other list.
    if (length <= sharedListMax) this.#free(slot, length);
    this.#long.set(list, created);
    return created;
  }

  #allocate(capacity: number): number {
    const freeSlot = this.#freeSlots.get(capacity)?.pop();
    if (freeSlot !== undefined) return freeSlot;
    const slot = this.#end;
    this.#end += capacity;
    if (this.#end > this.#passages.length) {
      const room = Math.max(this.#end, nextCapacity(this.#passages.length));
      this.#passages = copyToCapacity(this.#passages, room);
      this.#counts = copyToCapacity(this.#counts, room);
    }
    return slot;
  }

  #free(slot: number, capacity: number): void {
    const freeSlots = this.#freeSlots.get(capacity);
    if (freeSlots) freeSlots.push(slot);
    else this.#freeSlots.set(capacity, [slot]);
  }
}

/**
 * How many postings fit into the slot of a list of this length: the smallest power of two that is
 * not less; of long lists the length.
 */
export function slotCapacity(length: number): number {
  if (length > sharedListMax) return length;
  return length < 2 ? 1 : 1 << (32 - Math.clz32(length - 1));
}
