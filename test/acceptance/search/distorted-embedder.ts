import type {
  Embedder,
  EmbeddingPurpose,
} from '../../../packages/server/src/providers/embedding/index.ts';

/** The most texts that it can embed. */
const textsMax = 1_024;

/** What a text shares with no other: without it, the factor loses its last dimensions. */
const ownShare = 0.02;

/**
 * A model whose cosines are a function of those of another one: Schoenberg's construction, by the
 * rows of the Cholesky factor of all cosines so far. Each new text adds one dimension.
 */
export class DistortedEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions = textsMax;
  readonly #base: Embedder;
  readonly #distort: (cosine: number) => number;
  readonly #vectors = new Map<
    string,
    { readonly base: Float32Array; readonly own: Float64Array }
  >();
  #last: Promise<unknown> = Promise.resolve();

  /** @param distort a positive definite function of cosines that never decreases, 1 at 1 */
  constructor(model: string, base: Embedder, distort: (cosine: number) => number) {
    this.model = model;
    this.#base = base;
    this.#distort = distort;
  }

  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<Float32Array[]> {
    const result = this.#last.then(async () => {
      const vectors = await this.#base.embed(texts, purpose);
      return texts.map((text, i) => this.#add(text, vectors[i] as Float32Array));
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  #add(text: string, base: Float32Array): Float32Array {
    const known = this.#vectors.get(text);
    if (known) return spread(known.own);
    const own = new Float64Array(textsMax);
    let row = 0;
    let rest = 1;
    for (const other of this.#vectors.values()) {
      let sum = (1 - ownShare) * this.#distort(dot(base, other.base));
      for (let i = 0; i < row; i += 1) sum -= (own[i] as number) * (other.own[i] as number);
      own[row] = sum / (other.own[row] as number);
      rest -= (own[row] as number) ** 2;
      row += 1;
    }
    if (row === textsMax) throw new RangeError(`more than ${textsMax} texts`);
    own[row] = Math.sqrt(Math.max(1e-6, rest));
    this.#vectors.set(text, { base, own });
    return spread(own);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** The Walsh–Hadamard transform: as in other models, no dimension is much larger than others. */
function spread(vector: Float64Array): Float32Array {
  const values = Float64Array.from(vector);
  for (let half = 1; half < values.length; half *= 2) {
    for (let i = 0; i < values.length; i += 1) {
      if ((i & half) !== 0) continue;
      const [a, b] = [values[i] as number, values[i + half] as number];
      values[i] = (a + b) * Math.SQRT1_2;
      values[i + half] = (a - b) * Math.SQRT1_2;
    }
  }
  return Float32Array.from(values);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
