import { GrowingInts } from './growing-ints.ts';

/** Occurrences of a term: passages in the order in which they were added, with their counts. */
export interface PostingList {
  /** Views that the next push may make stale. */
  readonly passages: Int32Array;
  readonly counts: Int32Array;
}

interface LongList {
  readonly passages: GrowingInts;
  readonly counts: GrowingInts;
}

/** Longer lists have arrays of their own. */
const sharedListMax = 32;

/** Values that a list of this length takes in the shared array of a segment. */
export const slotLength = (length: number): number => 2 * slotCapacity(length);

/**
 * The postings of an account's terms, by term number. Most terms occur in one or two passages, and
 * an array costs about 200 bytes before it contains anything. Short lists therefore share one
 * array: each has a slot of capacity 1, 2, 4 … 32 passages plus as many counts, and moves to a
 * larger slot when it is full.
 */
export class Postings {
  #shared = new Int32Array(64);
  #end = 0;
  readonly #lengths = new GrowingInts();
  readonly #offsets = new GrowingInts();
  /** Free slots, by their capacity in passages. */
  readonly #freeSlots = new Map<number, number[]>();
  readonly #long = new Map<number, LongList>();

  /**
   * Takes the lists of a segment, which lie one after the other in `shared`: each has its passages,
   * then its counts. Longer ones get arrays of their own when they grow.
   */
  restore(lengths: GrowingInts, shared: Int32Array<ArrayBuffer>): void {
    this.#shared = shared;
    for (const length of lengths.view()) {
      this.#lengths.push(length);
      this.#offsets.push(this.#end);
      this.#end += slotLength(length);
    }
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
      counts.push(count);
      return;
    }
    if (length === 0 || length === slotCapacity(length)) this.#growSlot(list, length);
    const slot = this.#offsets.at(list);
    this.#shared[slot + length] = passage;
    this.#shared[slot + slotCapacity(length + 1) + length] = count;
  }

  get(list: number): PostingList {
    const length = this.#lengths.at(list);
    const long = this.#long.get(list);
    if (long) return { passages: long.passages.view(), counts: long.counts.view() };
    const slot = this.#offsets.at(list);
    const counts = slot + slotCapacity(length);
    return {
      passages: this.#shared.subarray(slot, slot + length),
      counts: this.#shared.subarray(counts, counts + length),
    };
  }

  /** Moves a full list to a slot of twice the capacity. */
  #growSlot(list: number, length: number): void {
    const capacity = slotCapacity(length + 1);
    const from = this.#offsets.at(list);
    const to = this.#allocate(capacity);
    this.#shared.copyWithin(to, from, from + length);
    this.#shared.copyWithin(to + capacity, from + length, from + length * 2);
    if (length > 0) this.#free(from, length);
    this.#offsets.set(list, to);
  }

  #longList(list: number, length: number): LongList {
    const existing = this.#long.get(list);
    if (existing) return existing;
    const created = { passages: new GrowingInts(), counts: new GrowingInts() };
    const slot = this.#offsets.at(list);
    const counts = slot + slotCapacity(length);
    for (let i = 0; i < length; i += 1) {
      created.passages.push(this.#shared[slot + i] as number);
      created.counts.push(this.#shared[counts + i] as number);
    }
    // The slot of a longer list of a segment fits no other list.
    if (length <= sharedListMax) this.#free(slot, length);
    this.#long.set(list, created);
    return created;
  }

  #allocate(capacity: number): number {
    const freeSlot = this.#freeSlots.get(capacity)?.pop();
    if (freeSlot !== undefined) return freeSlot;
    const slot = this.#end;
    this.#end += capacity * 2;
    if (this.#end > this.#shared.length) {
      const wider = new Int32Array(Math.ceil(this.#end * 1.5));
      wider.set(this.#shared);
      this.#shared = wider;
    }
    return slot;
  }

  #free(slot: number, capacity: number): void {
    const freeSlots = this.#freeSlots.get(capacity);
    if (freeSlots) freeSlots.push(slot);
    else this.#freeSlots.set(capacity, [slot]);
  }
}

/** The smallest power of two that is not less than the length; of long lists the length. */
function slotCapacity(length: number): number {
  if (length > sharedListMax) return length;
  return length < 2 ? 1 : 1 << (32 - Math.clz32(length - 1));
}
