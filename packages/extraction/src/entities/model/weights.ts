/**
 * A linear model over features written as words: each has a weight per label. The packed form is
 * one line of JSON, the sorted hashes of the features (four bytes each, little-endian), and for
 * each feature one signed byte per label, to be multiplied by the scale.
 */
export interface WeightsHeader {
  readonly labels: readonly string[];
  readonly features: number;
  /** The value of a byte of 1. */
  readonly scale: number;
  /** The training data. */
  readonly source: string;
}

export class Weights {
  readonly labels: readonly string[];
  readonly source: string;
  readonly #scale: number;
  readonly #rows: Int8Array;
  /** Open addressing: hash and row alternate; row −1 is a free slot. */
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** A bit for each hash that may be known: most features are not, and this stays in the cache. */
  readonly #present: Int32Array;

  /** Throws if the sizes do not match. */
  constructor(packed: Buffer) {
    const line = packed.indexOf(10);
    const head = JSON.parse(packed.toString('utf8', 0, line)) as WeightsHeader;
    const from = line + 1 + 4 * head.features;
    if (packed.length !== from + head.features * head.labels.length) {
      throw new Error('the packed weights are damaged: sizes do not match');
    }
    this.labels = head.labels;
    this.source = head.source;
    this.#scale = head.scale;
    this.#rows = new Int8Array(packed.buffer, packed.byteOffset + from, packed.length - from);
    const room = 2 ** Math.ceil(Math.log2(2 * head.features + 2));
    this.#mask = room - 1;
    this.#slots = new Int32Array(2 * room).fill(-1);
    this.#present = new Int32Array(2 ** (filterBits - 5));
    for (let row = 0; row < head.features; row += 1) {
      this.#place(packed.readInt32LE(line + 1 + 4 * row), row);
    }
  }

  #place(hash: number, row: number): void {
    let at = hash & this.#mask;
    while (this.#slots[2 * at + 1] !== -1) at = (at + 1) & this.#mask;
    this.#slots[2 * at] = hash;
    this.#slots[2 * at + 1] = row;
    const bit = hash >>> (32 - filterBits);
    this.#present[bit >>> 5] = (this.#present[bit >>> 5] as number) | (1 << (bit & 31));
  }

  /** The score of every label; unknown features count 0. */
  sumOf(features: readonly string[]): Float64Array {
    const count = this.labels.length;
    const rows = this.#rows;
    const sums = new Float64Array(count);
    for (const feature of features) {
      let from = this.#rowOf(hashFeature(feature)) * count;
      if (from < 0) continue;
      for (let label = 0; label < count; label += 1, from += 1) {
        sums[label] = (sums[label] as number) + (rows[from] as number);
      }
    }
    for (let label = 0; label < count; label += 1) {
      sums[label] = (sums[label] as number) * this.#scale;
    }
    return sums;
  }

  /** The row of a feature, or -1. */
  #rowOf(hash: number): number {
    const bit = hash >>> (32 - filterBits);
    if (((this.#present[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return -1;
    const slots = this.#slots;
    let at = hash & this.#mask;
    while (slots[2 * at + 1] !== -1 && slots[2 * at] !== hash) at = (at + 1) & this.#mask;
    return slots[2 * at + 1] as number;
  }
}

/** Bits of a hash that the filter distinguishes: 64 KB, of which the larger model sets a tenth. */
const filterBits = 19;

/** FNV-1a of the characters with the finaliser of Murmur 3, as a signed 32-bit integer. */
export function hashFeature(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) {
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
