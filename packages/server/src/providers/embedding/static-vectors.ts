import { readFile } from 'node:fs/promises';
import { getEnglishWordRanks, irregularForms } from '@mneme/text';

/** Location of the packed vectors; see `assets/vectors/README.md` for the format. */
const PACK = new URL('../../../assets/vectors/', import.meta.url);

interface Manifest {
  model: string;
  dimensions: number;
  words: number;
  /** Mean unit vector of texts; subtracted so that unrelated texts have a similarity of about 0. */
  mean: number[];
}

/**
 * Packed word vectors: one row of signed bytes per word, most frequent word first. Rows are views
 * of one buffer; the words are the shared map of `@mneme/text`.
 */
export class StaticVectors {
  readonly model: string;
  readonly dimensions: number;
  /** Mean of unit text vectors over a general corpus, `dimensions` floats. */
  readonly mean: Float32Array;
  /** Irregular English forms to base forms, lower case ("ran" → "run"). */
  readonly irregularForms: ReadonlyMap<string, string>;
  readonly #rows: Int8Array;
  readonly #indexes: ReadonlyMap<string, number>;
  /** Inverse lengths of the rows; 0 until one is needed. */
  readonly #scales: Float32Array;
  readonly #weights: Float32Array;

  constructor(
    manifest: Manifest,
    words: ReadonlyMap<string, number>,
    rows: Int8Array,
    irregularForms: ReadonlyMap<string, string>,
  ) {
    if (words.size !== manifest.words || rows.length !== words.size * manifest.dimensions) {
      throw new Error(`packed vectors ${manifest.model} are damaged: the sizes do not match`);
    }
    this.model = manifest.model;
    this.dimensions = manifest.dimensions;
    this.mean = Float32Array.from(manifest.mean);
    this.irregularForms = irregularForms;
    this.#rows = rows;
    this.#indexes = words;
    this.#scales = new Float32Array(words.size);
    this.#weights = weightsByRank(words.size);
  }

  /** Reads the pack. Throws if a file is missing or the sizes do not match. */
  static async load(): Promise<StaticVectors> {
    const [manifest, rows] = await Promise.all([
      readFile(new URL('static-en-192.json', PACK), 'utf8'),
      readFile(new URL('static-en-192.bin', PACK)),
    ]);
    return new StaticVectors(
      JSON.parse(manifest),
      getEnglishWordRanks(),
      new Int8Array(rows.buffer, rows.byteOffset, rows.byteLength),
      irregularForms,
    );
  }

  get size(): number {
    return this.#indexes.size;
  }

  /** The word's frequency rank from 0, or undefined. Words are lower case without accents. */
  indexOf(word: string): number | undefined {
    return this.#indexes.get(word);
  }

  /** A read-only view of a word's row: `dimensions` signed bytes, not of unit length. */
  row(index: number): Int8Array {
    return this.#rows.subarray(index * this.dimensions, (index + 1) * this.dimensions);
  }

  /** Default weight of a word by its rank, used if an account has no word counts. */
  weight(index: number): number {
    return this.#weights[index] ?? 0;
  }

  /** Adds `factor` times the word's unit vector to `sum`. */
  addTo(sum: Float32Array, index: number, factor: number): void {
    const rows = this.#rows;
    const start = index * this.dimensions;
    const scale = factor * this.#scaleOf(index);
    for (let i = 0; i < sum.length; i++) {
      sum[i] = (sum[i] as number) + scale * (rows[start + i] as number);
    }
  }

  /** The inverse length of a row, which is stored scaled to a largest magnitude of 127. */
  #scaleOf(index: number): number {
    const known = this.#scales[index];
    if (known !== 0) return known ?? 0;
    let squares = 0;
    for (const value of this.row(index)) squares += value ** 2;
    // Rounded to the precision of the array, also the first time.
    this.#scales[index] = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    return this.#scales[index] ?? 0;
  }
}

/**
 * (ln(1/p)/10)² with p by Zipf's law from the rank: p = 1/((rank + 1)·H_n). About 0.1 to 1.9.
 * Squared as in a product of two tf·idf vectors: plain weights reduce MRR by 2 points.
 */
function weightsByRank(count: number): Float32Array {
  const harmonic = Math.log(count) + 0.5772;
  return Float32Array.from(
    { length: count },
    (_, rank) => (Math.log((rank + 1) * harmonic) / 10) ** 2,
  );
}
