import { createHash } from 'node:crypto';

/** A set of texts as hashes of 64 bits, in 16 to 32 bytes each. */
export class IdSet {
  /** Pairs of halves; two zeros are a free slot. */
  #slots = new Uint32Array(2 * 1024);
  #count = 0;

  /** False if it has the text already. */
  add(text: string): boolean {
    const hash = createHash('sha256').update(text).digest();
    // A hash of zeros would look like a free slot.
    const isAdded = this.#insert(this.#slots, hash.readUInt32LE(0), hash.readUInt32LE(4) || 1);
    if (isAdded) this.#count += 1;
    if (4 * this.#count > this.#slots.length) this.#grow();
    return isAdded;
  }

  #insert(slots: Uint32Array, high: number, low: number): boolean {
    const mask = slots.length / 2 - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const [a, b] = [slots[2 * slot], slots[2 * slot + 1]];
      if (a === high && b === low) return false;
      if (a !== 0 || b !== 0) continue;
      slots[2 * slot] = high;
      slots[2 * slot + 1] = low;
      return true;
    }
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#slots.length);
    for (let i = 0; i < this.#slots.length; i += 2) {
      const [high = 0, low = 0] = [this.#slots[i], this.#slots[i + 1]];
      if (low !== 0) this.#insert(larger, high, low);
    }
    this.#slots = larger;
  }
}
