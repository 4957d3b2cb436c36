/** Sentences as rows of word indexes and weights that sum to 1 (compressed sparse rows). */
export interface SentenceWords {
  /** Row i is at `starts[i]` up to `starts[i + 1]` of the two lists. */
  starts: Int32Array;
  words: Int32Array;
  weights: Float32Array;
}

/** Three times the reference: with more sentences the words' own encodings still count. */
const PULL = 0.3;
const STEPS = 40;

/** Rows of a weighted mean; words without a vector are left out, a row may stay empty. */
export function sentenceWords(
  sentences: readonly (readonly number[])[],
  weightOf: (word: number) => number,
): SentenceWords {
  const count = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  const starts = new Int32Array(sentences.length + 1);
  const words = new Int32Array(count);
  const weights = new Float32Array(count);
  let at = 0;
  for (const [row, sentence] of sentences.entries()) {
    const total = sentence.reduce((sum, word) => sum + weightOf(word), 0);
    for (const word of sentence) {
      words[at] = word;
      weights[at] = weightOf(word) / total;
      at++;
    }
    starts[row + 1] = at;
  }
  return { starts, words, weights };
}

/**
 * Word vectors whose weighted mean comes nearest to the encodings of whole sentences:
 * V = argmin ‖AV − Y‖² + pull·‖V − V₀‖², by conjugate gradients on the normal equations
 * (AᵀA + pull·I)V = AᵀY + pull·V₀, all columns as one vector, starting at V₀.
 * @param targets Y, a row of `dimensions` floats per sentence
 * @param start V₀, a row per word; V is written over it
 */
export function distil(
  sentences: SentenceWords,
  targets: Float32Array,
  start: Float32Array,
  dimensions: number,
  report: (step: number, residual: number) => void,
): Float32Array {
  const vectors = start;
  const gap = new Float32Array(targets.length);
  forward(sentences, vectors, gap, dimensions);
  for (let i = 0; i < gap.length; i++) gap[i] = (targets[i] as number) - (gap[i] as number);
  // At V₀ the pull has no force, so the residual is AᵀY − AᵀAV₀ alone.
  const residual = new Float32Array(vectors.length);
  backward(sentences, gap, residual, dimensions);
  const direction = residual.slice();
  const image = new Float32Array(vectors.length);
  let squares = dotOf(residual, residual);
  for (let step = 0; step < STEPS; step++) {
    forward(sentences, direction, gap, dimensions);
    backward(sentences, gap, image, dimensions);
    addScaled(image, direction, PULL);
    const length = squares / dotOf(direction, image);
    addScaled(vectors, direction, length);
    addScaled(residual, image, -length);
    const next = dotOf(residual, residual);
    const keep = next / squares;
    for (let i = 0; i < direction.length; i++) {
      direction[i] = (residual[i] as number) + keep * (direction[i] as number);
    }
    squares = next;
    report(step + 1, Math.sqrt(next));
  }
  return vectors;
}

/** out = A·vectors */
function forward(a: SentenceWords, vectors: Float32Array, out: Float32Array, d: number): void {
  out.fill(0);
  for (let row = 0; row + 1 < a.starts.length; row++) {
    const to = row * d;
    for (let at = a.starts[row] as number; at < (a.starts[row + 1] as number); at++) {
      addRow(out, to, vectors, (a.words[at] as number) * d, a.weights[at] as number, d);
    }
  }
}

/** out = Aᵀ·rows */
function backward(a: SentenceWords, rows: Float32Array, out: Float32Array, d: number): void {
  out.fill(0);
  for (let row = 0; row + 1 < a.starts.length; row++) {
    const from = row * d;
    for (let at = a.starts[row] as number; at < (a.starts[row + 1] as number); at++) {
      addRow(out, (a.words[at] as number) * d, rows, from, a.weights[at] as number, d);
    }
  }
}

function addRow(
  out: Float32Array,
  to: number,
  rows: Float32Array,
  from: number,
  factor: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    out[to + i] = (out[to + i] as number) + factor * (rows[from + i] as number);
  }
}

function addScaled(out: Float32Array, other: Float32Array, factor: number): void {
  for (let i = 0; i < out.length; i++) {
    out[i] = (out[i] as number) + factor * (other[i] as number);
  }
}

function dotOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
