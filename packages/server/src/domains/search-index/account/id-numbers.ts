import { hashOfId } from './account-scale.ts';

/** Slots per id: few ids share one. */
const slotsPerId = 2;

/**
 * The numbers of documents by id. Those of a segment are in a hash table of integers with linear
 * probing: a map of as many strings would take longer to fill than all else takes to read.
 */
export class IdNumbers {
  /** By document number; '' for dead documents, which are not found. */
  readonly #ids: readonly string[];
  readonly #added = new Map<string, number>();
  /** Numbers plus 1; 0 for a free slot. */
  #slots = new Int32Array(0);

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  /** @param hashes by number: of the ids of a segment, at least as many */
  restore(count: number, hashes: Uint32Array): void {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(1, count * slotsPerId))));
    const mask = this.#slots.length - 1;
    for (let number = 0; number < count; number += 1) {
      let slot = (hashes[number] as number) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    }
  }

  get(id: string): number | undefined {
    return this.#added.get(id) ?? this.#findRestored(id);
  }

  set(id: string, number: number): void {
    this.#added.set(id, number);
  }

  /** The document is dead from now on. */
  delete(id: string): void {
    this.#added.delete(id);
  }

  #findRestored(id: string): number | undefined {
    const mask = this.#slots.length - 1;
    if (mask < 0) return undefined;
    for (let slot = hashOfId(id) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return undefined;
      if (this.#ids[number] === id) return number;
    }
  }
}
