import type { Embedder } from './embedding.ts';
import { StaticVectors } from './static-vectors.ts';
import { backgroundWeights, textVector } from './text-vector.ts';
import { textWords } from './words.ts';

/** Embeds by the shipped word vectors: no network, no model to run, no state. */
export class StaticEmbedder implements Embedder {
  readonly vectors: StaticVectors;
  readonly model: string;
  readonly dimensions: number;

  constructor(vectors: StaticVectors) {
    this.vectors = vectors;
    this.model = vectors.model;
    this.dimensions = vectors.dimensions;
  }

  async embed(
    texts: readonly string[],
    _purpose: 'document' | 'query',
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const { vectors } = this;
    const weights = backgroundWeights(vectors);
    const isKnown = (word: string) => vectors.indexOf(word) !== undefined;
    return texts.map((text) =>
      textVector(vectors, textWords(text, isKnown), weights, vectors.mean, text),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Loads the shipped word vectors: about 15 MB and a tenth of a second. */
export async function createStaticEmbedder(): Promise<StaticEmbedder> {
  return new StaticEmbedder(await StaticVectors.load());
}
