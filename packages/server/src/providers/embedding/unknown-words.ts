import type { StaticVectors } from './static-vectors.ts';

/** A known word that replaces (a part of) an unknown one, with a confidence factor. */
export interface SubstituteWord {
  index: number;
  factor: number;
}

const BASE_FACTOR = 0.9;
const COMPOUND_FACTOR = 0.7;
const STEM_LENGTH_MIN = 3;
/** Tests with hidden known words show that parts of three letters yield mostly false compounds. */
const PART_LENGTH_MIN = 4;
const WORD_LENGTH_MAX = 40;

/** Endings and their replacements, longest first. */
const ENDINGS: readonly (readonly [string, string])[] = [
  ['iness', 'y'],
  ['ies', 'y'],
  ['ied', 'y'],
  ['ily', 'y'],
  ['ness', ''],
  ['able', ''],
  ['able', 'e'],
  ['ings', ''],
  ['ing', ''],
  ['ing', 'e'],
  ['ers', ''],
  ['ers', 'e'],
  ['es', ''],
  ['ed', ''],
  ['ed', 'e'],
  ['er', ''],
  ['er', 'e'],
  ['ly', ''],
  ['s', ''],
];

/**
 * Finds known words for a word without a vector: its irregular base form, its base without an
 * ending, or the two known words of a compound.
 * @returns an empty list if none match
 */
export function findSubstitutesForUnknownWord(
  vectors: StaticVectors,
  word: string,
): SubstituteWord[] {
  if (word.length < STEM_LENGTH_MIN || word.length > WORD_LENGTH_MAX) return [];
  const base = baseForm(vectors, word);
  if (base !== undefined) return [{ index: base, factor: BASE_FACTOR }];
  return compound(vectors, word);
}

function baseForm(vectors: StaticVectors, word: string): number | undefined {
  const irregular = vectors.irregularForms.get(word);
  const known = irregular === undefined ? undefined : vectors.indexOf(irregular);
  if (known !== undefined) return known;
  for (const [ending, replacement] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    if (stem.length < STEM_LENGTH_MIN) continue;
    const found = vectors.indexOf(stem + replacement) ?? vectors.indexOf(withoutDouble(stem));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** "runn" → "run": removes a doubled final consonant. */
function withoutDouble(stem: string): string {
  return stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem;
}

/** The split whose rarer part is most frequent: "localstorage" is local + storage. */
function compound(vectors: StaticVectors, word: string): SubstituteWord[] {
  let best: SubstituteWord[] = [];
  let bestRank = Number.POSITIVE_INFINITY;
  for (let cut = PART_LENGTH_MIN; cut <= word.length - PART_LENGTH_MIN; cut++) {
    const head = vectors.indexOf(word.slice(0, cut));
    const tail = head === undefined ? undefined : vectors.indexOf(word.slice(cut));
    if (head === undefined || tail === undefined || Math.max(head, tail) >= bestRank) continue;
    bestRank = Math.max(head, tail);
    best = [head, tail].map((index) => ({ index, factor: COMPOUND_FACTOR }));
  }
  return best;
}

/**
 * Adds a unit-length random projection of a string's letter pairs and triples to `sum`:
 * equal strings get equal vectors, similar ones similar vectors, and others almost right angles.
 * Each n-gram's hash seeds the signs of a vector of ±1 (Achlioptas 2003, random projections).
 */
export function addCharacterNgramVector(sum: Float32Array, letters: string, factor: number): void {
  const framed = `^${letters}$`;
  const projection = new Float32Array(sum.length);
  for (let size = 2; size <= 3; size++) {
    for (let start = 0; start + size <= framed.length; start++) {
      addSigns(projection, hash(framed, start, start + size));
    }
  }
  let squares = 0;
  for (const value of projection) squares += value * value;
  // The signs of several n-grams can cancel in every component; those of one n-gram cannot.
  if (squares === 0) {
    addSigns(projection, hash(framed, 0, framed.length));
    squares = projection.length;
  }
  const scale = factor / Math.sqrt(squares);
  for (let i = 0; i < sum.length; i++) {
    sum[i] = (sum[i] as number) + scale * (projection[i] as number);
  }
}

/** FNV-1a over UTF-16 units, never 0. */
function hash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let i = start; i < end; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return value >>> 0 || 1;
}

/** Adds +1 or −1 to each component, by the bits of an xorshift32 sequence from the seed. */
function addSigns(vector: Float32Array, seed: number): void {
  let bits = seed;
  for (let i = 0; i < vector.length; i++) {
    if (i % 32 === 0) {
      bits ^= bits << 13;
      bits ^= bits >>> 17;
      bits ^= bits << 5;
    }
    vector[i] = (vector[i] as number) + ((bits >>> (i % 32)) & 1 ? 1 : -1);
  }
}
