/**
 * A linear model over features that are written as words: each has a weight for every label.
 * Packed, it is one line of JSON, the hashes of the features in order (four bytes each, lower
 * first), and for each feature one signed byte a label, to be multiplied by the scale.
 */
export interface WeightsHeader {
  readonly labels: readonly string[];
  readonly features: number;
  /** What a byte of 1 stands for. */
  readonly scale: number;
  /** Of what it was learnt from. */
  readonly source: string;
}

export class Weights {
  readonly labels: readonly string[];
  readonly source: string;
  readonly #scale: number;
  readonly #rows: Int8Array;
  /** Open addressing: hash and row in turn, row −1 where free. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  /** Throws when the sizes do not agree. */
  constructor(packed: Buffer) {
    const line = packed.indexOf(10);
    const head = JSON.parse(packed.toString('utf8', 0, line)) as WeightsHeader;
    const from = line + 1 + 4 * head.features;
    if (packed.length !== from + head.features * head.labels.length) {
      throw new Error('the packed weights are damaged: sizes do not agree');
    }
    this.labels = head.labels;
    this.source = head.source;
    this.#scale = head.scale;
    this.#rows = new Int8Array(packed.buffer, packed.byteOffset + from, packed.length - from);
    const room = 2 ** Math.ceil(Math.log2(2 * head.features + 2));
    this.#mask = room - 1;
    this.#slots = new Int32Array(2 * room).fill(-1);
    for (let row = 0; row < head.features; row += 1) {
      this.#place(packed.readInt32LE(line + 1 + 4 * row), row);
    }
  }

  #place(hash: number, row: number): void {
    let at = hash & this.#mask;
    while (this.#slots[2 * at + 1] !== -1) at = (at + 1) & this.#mask;
    this.#slots[2 * at] = hash;
    this.#slots[2 * at + 1] = row;
  }

  /** What the features say of every label; those that were never learnt say nothing. */
  sumOf(features: readonly string[]): Float64Array {
    const count = this.labels.length;
    const sums = new Float64Array(count);
    for (const feature of features) {
      const from = this.#rowOf(hashFeature(feature)) * count;
      if (from < 0) continue;
      for (let label = 0; label < count; label += 1) {
        sums[label] = (sums[label] as number) + (this.#rows[from + label] as number);
      }
    }
    return sums.map((sum) => sum * this.#scale);
  }

  #rowOf(hash: number): number {
    let at = hash & this.#mask;
    while (this.#slots[2 * at + 1] !== -1 && this.#slots[2 * at] !== hash) {
      at = (at + 1) & this.#mask;
    }
    return this.#slots[2 * at + 1] as number;
  }
}

/** FNV-1a of the letters, with the last mix of Murmur 3; as a signed number of 32 bits. */
export function hashFeature(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) {
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
