/**
 * Classes of words that are used alike, from vectors of the words: k-means of the directions,
 * 64 coarse classes, and 16 fine ones within each. Centres come from the most frequent words, and
 * every word goes to the nearest.
 */
import { createRandom, shuffledIndexes } from './random.ts';

const coarseCount = 64;
const fineCount = 16;
const trainingWordCount = 24_000;
const rounds = 12;

/** A row of signed bytes for every word, most frequent first; of any length. */
export interface WordVectors {
  readonly rows: Int8Array;
  readonly dimensions: number;
}

interface Matrix {
  readonly data: Float32Array;
  readonly width: number;
}

/** The fine class of every word, by its rank. */
export function computeWordClusters(vectors: WordVectors): Uint16Array {
  const rows = unitVectors(vectors);
  const size = vectors.rows.length / vectors.dimensions;
  const all = Array.from({ length: size }, (_, at) => at);
  const frequent = all.slice(0, trainingWordCount);
  const centres = findCentroids(rows, frequent, coarseCount, createRandom(1));
  const coarse = assignNearest(rows, all, centres);
  const classes = new Uint16Array(size);
  for (let one = 0; one < coarseCount; one += 1) {
    const members = all.filter((at) => coarse[at] === one);
    const within = members.filter((at) => at < trainingWordCount);
    const parts = findCentroids(
      rows,
      within.length > fineCount ? within : members,
      fineCount,
      createRandom(one + 2),
    );
    const fine = assignNearest(rows, members, parts);
    for (const [at, word] of members.entries()) {
      classes[word] = one * fineCount + (fine[at] as number);
    }
  }
  return classes;
}

/** All words as vectors of length one. */
function unitVectors({ rows, dimensions: width }: WordVectors): Matrix {
  const data = new Float32Array(rows.length);
  for (let from = 0; from < rows.length; from += width) {
    const row = rows.subarray(from, from + width);
    let squares = 0;
    for (const value of row) squares += value * value;
    const length = Math.sqrt(squares) || 1;
    for (let i = 0; i < width; i += 1) data[from + i] = (row[i] as number) / length;
  }
  return { data, width };
}

/** `count` centres of length one, begun at words taken by chance. */
function findCentroids(
  rows: Matrix,
  members: readonly number[],
  count: number,
  chance: () => number,
): Float32Array {
  const { data, width } = rows;
  const order = shuffledIndexes(members.length, chance);
  let centres = new Float32Array(count * width);
  for (let one = 0; one < count; one += 1) {
    const word = members[order[one % order.length] as number] as number;
    centres.set(data.subarray(word * width, (word + 1) * width), one * width);
  }
  for (let round = 0; round < rounds; round += 1) {
    const owners = assignNearest(rows, members, centres);
    const sums = new Float32Array(count * width);
    for (const [at, word] of members.entries()) {
      const to = (owners[at] as number) * width;
      for (let i = 0; i < width; i += 1) {
        sums[to + i] = (sums[to + i] as number) + (data[word * width + i] as number);
      }
    }
    centres = toUnitVectors(sums, centres, width);
  }
  return centres;
}

/** Sums as directions; where nothing was added, the centre stays. */
function toUnitVectors(
  sums: Float32Array,
  old: Float32Array,
  width: number,
): Float32Array<ArrayBuffer> {
  const centres = new Float32Array(old);
  for (let from = 0; from < sums.length; from += width) {
    let squares = 0;
    for (let i = from; i < from + width; i += 1) squares += (sums[i] as number) ** 2;
    if (squares === 0) continue;
    const length = Math.sqrt(squares);
    for (let i = from; i < from + width; i += 1) centres[i] = (sums[i] as number) / length;
  }
  return centres;
}

function assignNearest(
  { data, width }: Matrix,
  members: readonly number[],
  centres: Float32Array,
): Uint16Array {
  const owners = new Uint16Array(members.length);
  for (const [at, word] of members.entries()) {
    const from = word * width;
    let best = -2;
    for (let one = 0; one * width < centres.length; one += 1) {
      const to = one * width;
      let product = 0;
      for (let i = 0; i < width; i += 1) {
        product += (data[from + i] as number) * (centres[to + i] as number);
      }
      if (product > best) {
        best = product;
        owners[at] = one;
      }
    }
  }
  return owners;
}
