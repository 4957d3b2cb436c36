import { nextCapacity } from './capacity.ts';
import { GrowingInts } from './growing-ints.ts';

/** Slots per term at least: few terms share one. */
const slotsPerTerm = 1.5;
const slotsMin = 16;
/** Bytes of UTF-8 for a UTF-16 code unit at most. */
const bytesPerUnit = 3;

/** The term that is looked up, as UTF-8; a longer one makes it longer. */
let scratch = Buffer.alloc(256);

/** Returns how many bytes of `scratch` the term takes. */
function encodeTerm(term: string): number {
  if (term.length * bytesPerUnit > scratch.length) {
    scratch = Buffer.alloc(2 * bytesPerUnit * term.length);
  }
  for (let i = 0; i < term.length; i += 1) {
    const code = term.charCodeAt(i);
    if (code > 127) return scratch.write(term);
    scratch[i] = code;
  }
  return term.length;
}

/** FNV-1a. */
function hashBytes(bytes: Uint8Array, from: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < end; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0;
}

/** Length of the UTF-8 text in UTF-16: two for a character of four bytes, none for a later byte. */
function countCodeUnits(bytes: Uint8Array, from: number, end: number): number {
  let count = 0;
  for (let i = from; i < end; i += 1) {
    const byte = bytes[i] as number;
    if (byte >= 0xf0) count += 2;
    else if ((byte & 0xc0) !== 0x80) count += 1;
  }
  return count;
}

/**
 * The distinct terms of an account by number, and their numbers. The texts lie one after the other
 * in an array of bytes, and the numbers are in a hash table with linear probing: strings and a map
 * of them would take 80 bytes more for each term.
 */
export class TermNames {
  #bytes = Buffer.alloc(64);
  /** By term: where its bytes end. */
  #ends = new GrowingInts();
  /** Numbers plus 1; 0 for a free slot. */
  #slots = new Int32Array(slotsMin);
  /** By length in characters: the terms up to a number, as strings, since somebody asked. */
  readonly #byLength = new Map<number, { terms: string[]; upTo: number }>();

  get count(): number {
    return this.#ends.length;
  }

  get byteLength(): number {
    return this.#bytes.byteLength + this.#ends.byteLength + this.#slots.byteLength;
  }

  /** Number of terms that are kept as strings. */
  get strings(): number {
    let count = 0;
    for (const { terms } of this.#byLength.values()) count += terms.length;
    return count;
  }

  /** −1 for an unknown term. */
  find(term: string): number {
    const slot = this.#slotOf(encodeTerm(term));
    return (this.#slots[slot] as number) - 1;
  }

  /** Returns the number of a term; a new one gets the next. */
  add(term: string): number {
    const length = encodeTerm(term);
    const slot = this.#slotOf(length);
    const known = (this.#slots[slot] as number) - 1;
    if (known >= 0) return known;
    const from = this.#startOf(this.count);
    const end = from + length;
    if (end > this.#bytes.length) {
      const wider = Buffer.alloc(Math.max(end, nextCapacity(this.#bytes.length)));
      wider.set(this.#bytes);
      this.#bytes = wider;
    }
    scratch.copy(this.#bytes, from, 0, length);
    this.#ends.push(end);
    this.#slots[slot] = this.count;
    if (this.count * slotsPerTerm > this.#slots.length) this.#fillSlots();
    return this.count - 1;
  }

  at(number: number): string {
    return this.#bytes.toString('utf8', this.#startOf(number), this.#ends.at(number));
  }

  /** All terms of this length in characters, by number. */
  ofLength(characters: number): readonly string[] {
    const known = this.#byLength.get(characters) ?? { terms: [], upTo: 0 };
    this.#byLength.set(characters, known);
    for (; known.upTo < this.count; known.upTo += 1) {
      const [from, end] = [this.#startOf(known.upTo), this.#ends.at(known.upTo)];
      const isSameLength = countCodeUnits(this.#bytes, from, end) === characters;
      if (isSameLength) known.terms.push(this.at(known.upTo));
    }
    return known.terms;
  }

  /** The bytes of these terms, one after the other. */
  copyBytes(numbers: readonly number[]): Uint8Array {
    return Buffer.concat(
      numbers.map((number) => this.#bytes.subarray(this.#startOf(number), this.#ends.at(number))),
    );
  }

  /** Length in bytes. */
  lengthOf(number: number): number {
    return this.#ends.at(number) - this.#startOf(number);
  }

  /** Takes the terms of a segment; there are none yet. */
  restore(bytes: Uint8Array<ArrayBuffer>, ends: GrowingInts): void {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#ends = ends;
    this.#fillSlots();
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : this.#ends.at(number - 1);
  }

  /** The slot of the term in `scratch`, or the free one where it would be. */
  #slotOf(length: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashBytes(scratch, 0, length) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0 || this.#isScratch(number, length)) return slot;
    }
  }

  #isScratch(number: number, length: number): boolean {
    const from = this.#startOf(number);
    if (this.#ends.at(number) - from !== length) return false;
    for (let i = 0; i < length; i += 1) {
      if (this.#bytes[from + i] !== scratch[i]) return false;
    }
    return true;
  }

  #fillSlots(): void {
    const bits = Math.ceil(Math.log2(this.count * slotsPerTerm + 1));
    this.#slots = new Int32Array(Math.max(slotsMin, 2 ** bits));
    const mask = this.#slots.length - 1;
    let from = 0;
    for (let number = 0; number < this.count; number += 1) {
      const end = this.#ends.at(number);
      let slot = hashBytes(this.#bytes, from, end) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
      from = end;
    }
  }
}
