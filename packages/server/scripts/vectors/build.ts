import { rankByPosition } from '@mneme/text';
import { StaticVectors } from '../../src/providers/embedding/static-vectors.ts';
import { backgroundWordWeights, textVector } from '../../src/providers/embedding/text-vector.ts';
import { textWords } from '../../src/providers/embedding/words.ts';
import { distil, sentenceWords } from './distil.ts';
import { SENTENCE_DIMENSIONS } from './encode.ts';
import { GLOVE_DIMENSIONS, type Glove } from './glove.ts';
import { type Packed, quantise } from './pack.ts';
import { principalComponents, project } from './principal-components.ts';
import { joinRows, unitRows, withoutTop } from './rows.ts';

const DIMENSIONS = 192;
const DISTILLED_DIMENSIONS = 256;
/** How much of a word's own encoding is kept as the start of its distilled vector. */
const OWN_SHARE = 0.7;
const GLOVE_SHARE = 0.7;
/** By trial: fewer and more are both a little worse. */
const COMMON_DIRECTIONS = { distilled: 2, glove: 5 };
/** Directions are found on so many rows: the most frequent words, or the first sentences. */
const SAMPLE = 20_000;

export interface Encoded {
  /** Most frequent first. */
  words: readonly string[];
  sentences: readonly string[];
  /** Encodings in the order of the two lists, `SENTENCE_DIMENSIONS` floats each. */
  wordRows: Float32Array;
  sentenceRows: Float32Array;
}

/** Distils word vectors out of sentence encodings: `DISTILLED_DIMENSIONS` floats a word. */
export function distilWords(encoded: Encoded, report: (message: string) => void): Float32Array {
  const { words, sentences, wordRows, sentenceRows } = encoded;
  const sample = sentenceRows.subarray(0, SAMPLE * SENTENCE_DIMENSIONS);
  const components = principalComponents(sample, SENTENCE_DIMENSIONS, DISTILLED_DIMENSIONS);
  report('principal components of the sentences found');
  const targets = project(sentenceRows, components);
  const start = project(wordRows, components).map((value) => OWN_SHARE * value);
  const index = new Map(words.map((word, i) => [word, i]));
  const rows = sentences.map((sentence) =>
    textWords(sentence, (word) => index.has(word))
      .map((word) => index.get(word))
      .filter((word) => word !== undefined),
  );
  const weighted = sentenceWords(rows, (word) => zipfWeight(word, words.length));
  return distil(weighted, targets, start, DISTILLED_DIMENSIONS, (step, residual) => {
    if (step % 10 === 0) report(`conjugate gradients: step ${step}, residual ${residual}`);
  });
}

/** ln(1/p)/10, p by Zipf's law: a sentence's encoding leans to its rare words, but mildly. */
function zipfWeight(rank: number, count: number): number {
  return Math.log((rank + 1) * (Math.log(count) + 0.5772)) / 10;
}

/**
 * GloVe rows in the order of `words`. Words of the technical list are newer than GloVe's text,
 * or meant something else then: they get the weighted mean of their description's words.
 */
export function gloveRows(
  glove: Glove,
  words: readonly string[],
  technical: ReadonlyMap<string, string>,
): Float32Array {
  const old = new Set(glove.words);
  const index = new Map(words.map((word, i) => [word, i]));
  const wanted = words.filter((word) => old.has(word) && !technical.has(word));
  const found = glove.rows(wanted);
  const rows = new Float32Array(words.length * GLOVE_DIMENSIONS);
  for (const [i, word] of wanted.entries()) {
    const row = found.subarray(i * GLOVE_DIMENSIONS, (i + 1) * GLOVE_DIMENSIONS);
    rows.set(row, (index.get(word) ?? 0) * GLOVE_DIMENSIONS);
  }
  for (const [word, description] of technical) {
    const sum = new Float32Array(GLOVE_DIMENSIONS);
    for (const part of textWords(description, (one) => index.has(one))) {
      const from = index.get(part);
      if (from === undefined) continue;
      const weight = zipfWeight(from, words.length);
      for (let i = 0; i < sum.length; i++) {
        sum[i] = (sum[i] as number) + weight * (rows[from * GLOVE_DIMENSIONS + i] as number);
      }
    }
    rows.set(unitRows(sum, GLOVE_DIMENSIONS), (index.get(word) ?? 0) * GLOVE_DIMENSIONS);
  }
  return rows;
}

/** Joins both kinds of vectors and reduces them to `DIMENSIONS` signed bytes a word. */
export function joinVectors(distilled: Float32Array, glove: Float32Array): Int8Array {
  const left = withoutTop(
    unitRows(distilled, DISTILLED_DIMENSIONS),
    DISTILLED_DIMENSIONS,
    COMMON_DIRECTIONS.distilled,
    SAMPLE,
  );
  const right = withoutTop(glove, GLOVE_DIMENSIONS, COMMON_DIRECTIONS.glove, SAMPLE);
  const size = DISTILLED_DIMENSIONS + GLOVE_DIMENSIONS;
  const joined = joinRows(
    unitRows(left, DISTILLED_DIMENSIONS),
    DISTILLED_DIMENSIONS,
    unitRows(right, GLOVE_DIMENSIONS, GLOVE_SHARE),
    GLOVE_DIMENSIONS,
  );
  const components = principalComponents(joined.subarray(0, SAMPLE * size), size, DIMENSIONS);
  // The mean is already out: taking it out again would move the rows of words without GloVe.
  return quantise(project(joined, components, false), DIMENSIONS);
}

/** Adds the mean text vector over sample texts to words and rows. */
export function withMean(
  words: readonly string[],
  rows: Int8Array,
  irregularForms: Readonly<Record<string, string>>,
  texts: readonly string[],
): Packed {
  const none = new Float32Array(DIMENSIONS);
  const manifest = { model: '', dimensions: DIMENSIONS, words: words.length, mean: [...none] };
  const irregular = new Map(Object.entries(irregularForms));
  const vectors = new StaticVectors(manifest, rankByPosition(words), rows, irregular);
  const weights = backgroundWordWeights(vectors);
  const isKnown = (word: string) => vectors.indexOf(word) !== undefined;
  const mean = new Float32Array(DIMENSIONS);
  for (const text of texts) {
    const vector = textVector(vectors, textWords(text, isKnown), weights, none, text);
    for (let i = 0; i < mean.length; i++) {
      mean[i] = (mean[i] as number) + (vector[i] as number) / texts.length;
    }
  }
  return { words, dimensions: DIMENSIONS, rows, mean };
}
