import { GrowingInts } from './growing-ints.ts';

/** Where a term occurs: passages in the order they were added, with counts beside. */
export interface PostingList {
  /** Views that the next push may leave behind. */
  readonly passages: Int32Array;
  readonly counts: Int32Array;
}

interface LongList {
  readonly passages: GrowingInts;
  readonly counts: GrowingInts;
}

/** Longer lists have arrays of their own. */
const sharedListMax = 32;

/**
 * The postings of an account's terms, by term number. Most terms stand in one or two passages, and
 * an array costs some 200 bytes before it holds anything. So short lists share one: each has a
 * place with room for 1, 2, 4 … 32 passages and then as many counts, and moves when it is full.
 */
export class Postings {
  #shared = new Int32Array(64);
  #end = 0;
  readonly #lengths = new GrowingInts();
  readonly #offsets = new GrowingInts();
  /** Places that were left, by the passages they have room for. */
  readonly #freeSlots = new Map<number, number[]>();
  readonly #long = new Map<number, LongList>();

  /** The number of a new list, which is empty. */
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
    const place = this.#offsets.at(list);
    this.#shared[place + length] = passage;
    this.#shared[place + slotCapacity(length + 1) + length] = count;
  }

  get(list: number): PostingList {
    const length = this.#lengths.at(list);
    const long = this.#long.get(list);
    if (long) return { passages: long.passages.view(), counts: long.counts.view() };
    const place = this.#offsets.at(list);
    const counts = place + slotCapacity(length);
    return {
      passages: this.#shared.subarray(place, place + length),
      counts: this.#shared.subarray(counts, counts + length),
    };
  }

  /** Gives a full list a place of twice the room. */
  #growSlot(list: number, length: number): void {
    const room = slotCapacity(length + 1);
    const from = this.#offsets.at(list);
    const to = this.#allocate(room);
    this.#shared.copyWithin(to, from, from + length);
    this.#shared.copyWithin(to + room, from + length, from + length * 2);
    if (length > 0) this.#free(from, length);
    this.#offsets.set(list, to);
  }

  #longList(list: number, length: number): LongList {
    const known = this.#long.get(list);
    if (known) return known;
    const fresh = { passages: new GrowingInts(), counts: new GrowingInts() };
    const place = this.#offsets.at(list);
    for (let i = 0; i < length; i += 1) {
      fresh.passages.push(this.#shared[place + i] as number);
      fresh.counts.push(this.#shared[place + length + i] as number);
    }
    this.#free(place, length);
    this.#long.set(list, fresh);
    return fresh;
  }

  #allocate(room: number): number {
    const left = this.#freeSlots.get(room)?.pop();
    if (left !== undefined) return left;
    const place = this.#end;
    this.#end += room * 2;
    if (this.#end > this.#shared.length) {
      const wider = new Int32Array(Math.ceil(this.#end * 1.5));
      wider.set(this.#shared);
      this.#shared = wider;
    }
    return place;
  }

  #free(place: number, room: number): void {
    const places = this.#freeSlots.get(room);
    if (places) places.push(place);
    else this.#freeSlots.set(room, [place]);
  }
}

/** The smallest power of two that is not less. */
const slotCapacity = (length: number): number =>
  length < 2 ? 1 : 1 << (32 - Math.clz32(length - 1));
