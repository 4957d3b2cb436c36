import { hashOfId } from './account-scale.ts';
import { copyToCapacity, nextCapacity } from './capacity.ts';
import type { DocumentColumns } from './columns.ts';
import { compareUuids, formatUuid, parseUuid, uuidWords } from './packed-uuid.ts';

/** Slots per id at least: few ids share one. */
const slotsPerId = 1.5;
const slotsMin = 16;

/**
 * The ids of an account's documents by number, and the numbers by id. UUIDs are stored as four
 * integers each; other ids are strings. The numbers are in a hash table of integers with linear
 * probing: strings and a map of them would take 100 bytes more for each document.
 */
export class DocumentIds {
  readonly #columns: Pick<DocumentColumns, 'idHash'>;
  #words = new Uint32Array(uuidWords * 4);
  #length = 0;
  /** Those that are no UUIDs, by number. */
  readonly #others = new Map<number, string>();
  /** Numbers plus 1; 0 for a free slot. Those of dead documents stay until the table grows. */
  #slots = new Int32Array(slotsMin);
  #slotsUsed = 0;
  readonly #wanted = new Uint32Array(uuidWords);

  /** @param columns have the hash of each id before it is added */
  constructor(columns: Pick<DocumentColumns, 'idHash'>) {
    this.#columns = columns;
  }

  get byteLength(): number {
    return this.#words.byteLength + this.#slots.byteLength;
  }

  get length(): number {
    return this.#length;
  }

  /** Number of ids that are strings. */
  get strings(): number {
    return this.#others.size;
  }

  /** Adds the id of the next document. */
  push(id: string): void {
    const number = this.#length;
    const at = number * uuidWords;
    // Of a segment, the spare capacity may not be whole ids.
    if (at + uuidWords > this.#words.length) {
      this.#words = copyToCapacity(this.#words, nextCapacity(number) * uuidWords);
    }
    if (!parseUuid(id, this.#words, at)) {
      this.#words.fill(0, at, at + uuidWords);
      this.#others.set(number, id);
    }
    this.#length += 1;
    if ((this.#slotsUsed + 1) * slotsPerId > this.#slots.length) this.#fillSlots();
    else this.#insert(number);
  }

  /** '' for a dead document. */
  at(number: number): string {
    const at = number * uuidWords;
    return this.#hasUuid(at) ? formatUuid(this.#words, at) : (this.#others.get(number) ?? '');
  }

  /** The number of a live document. */
  numberOf(id: string): number | undefined {
    const isUuid = parseUuid(id, this.#wanted, 0);
    const mask = this.#slots.length - 1;
    for (let slot = hashOfId(id) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return undefined;
      const isSame = isUuid
        ? compareUuids(this.#words, number * uuidWords, this.#wanted, 0) === 0
        : this.#others.get(number) === id;
      if (isSame) return number;
    }
  }

  /** Compares the ids of two documents as strings. */
  compare(first: number, second: number): number {
    const [a, b] = [first * uuidWords, second * uuidWords];
    if (this.#hasUuid(a) && this.#hasUuid(b)) return compareUuids(this.#words, a, this.#words, b);
    const [left, right] = [this.at(first), this.at(second)];
    if (left === right) return 0;
    return left < right ? -1 : 1;
  }

  /** The document is dead from now on. */
  clear(number: number): void {
    this.#words.fill(0, number * uuidWords, (number + 1) * uuidWords);
    this.#others.delete(number);
  }

  /** Copies of these documents' ids: the integers of all, 0 for strings, which are apart. */
  copy(numbers: Int32Array): { words: Uint32Array; others: [place: number, id: string][] } {
    const words = new Uint32Array(numbers.length * uuidWords);
    const others: [place: number, id: string][] = [];
    for (const [i, number] of numbers.entries()) {
      const at = number * uuidWords;
      for (let word = 0; word < uuidWords; word += 1) {
        words[i * uuidWords + word] = this.#words[at + word] as number;
      }
      if (!this.#hasUuid(at)) others.push([i, this.at(number)]);
    }
    return { words, others };
  }

  /**
   * Takes the ids of a segment; there are none yet, and the columns have their hashes.
   * @param words may have spare capacity
   */
  restore(length: number, words: Uint32Array<ArrayBuffer>, others: Iterable<[number, string]>) {
    this.#words = words;
    this.#length = length;
    for (const [number, id] of others) this.#others.set(number, id);
    this.#fillSlots();
  }

  #hasUuid(at: number): boolean {
    const words = this.#words;
    return (words[at] as number) !== 0 || (words[at + 1] as number) !== 0 || hasTail(words, at);
  }

  /** Makes the table again, without dead documents. */
  #fillSlots(): void {
    const bits = Math.ceil(Math.log2(this.#length * slotsPerId));
    this.#slots = new Int32Array(Math.max(slotsMin, 2 ** bits));
    this.#slotsUsed = 0;
    for (let number = 0; number < this.#length; number += 1) {
      if (this.#hasUuid(number * uuidWords) || this.#others.has(number)) this.#insert(number);
    }
  }

  #insert(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#columns.idHash[number] as number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
    this.#slotsUsed += 1;
  }
}

const hasTail = (words: Uint32Array, at: number): boolean =>
  (words[at + 2] as number) !== 0 || (words[at + 3] as number) !== 0;
