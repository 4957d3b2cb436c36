import { TimeSlice } from '../../kernel/time-slice.ts';
import type { Embedder } from './embedding.ts';
import { StaticVectors } from './static-vectors.ts';
import { backgroundWordWeights, countWords, TextVectorBuilder } from './text-vector.ts';
import { textWords } from './words.ts';

/** Embeds with the shipped word vectors: no network, no model process, no state. */
export class StaticEmbedder implements Embedder {
  readonly #vectors: StaticVectors;
  readonly model: string;
  readonly dimensions: number;

  constructor(vectors: StaticVectors) {
    this.#vectors = vectors;
    this.model = vectors.model;
    this.dimensions = vectors.dimensions;
  }

  async embed(
    texts: readonly string[],
    _purpose: 'document' | 'query',
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const embedded: Float32Array[] = [];
    const slice = new TimeSlice();
    for (const text of texts) {
      if (slice.shouldYield) await slice.yield();
      embedded.push(await this.#embedOne(text, slice));
    }
    return embedded;
  }

  /** Processes a long text in parts and yields to the event loop in between. */
  async #embedOne(text: string, slice: TimeSlice): Promise<Float32Array> {
    const vectors = this.#vectors;
    const sum = new TextVectorBuilder(vectors, backgroundWordWeights(vectors));
    const isKnown = (word: string) => vectors.indexOf(word) !== undefined;
    for (let from = 0; from < text.length; ) {
      const to = findPartEnd(text, from);
      const words = [...countWords(textWords(text.slice(from, to), isKnown))];
      for (let i = 0; i < words.length; i += wordsPerSlice) {
        if (slice.shouldYield) await slice.yield();
        sum.add(words.slice(i, i + wordsPerSlice));
      }
      from = to;
    }
    return sum.vector(vectors.mean, text);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Size of a part, which takes a millisecond or two to split into words. */
const partCharacters = 50_000;
/** Takes a fraction of a millisecond. */
const wordsPerSlice = 200;

/** The end of a part at white space; without white space, the text is cut at the limit. */
function findPartEnd(text: string, from: number): number {
  const due = from + partCharacters;
  if (due >= text.length) return text.length;
  const space = text.slice(due, due + 1_000).search(/\s/);
  if (space >= 0) return due + space;
  return /[\uDC00-\uDFFF]/.test(text.charAt(due)) ? due + 1 : due;
}

let shared: Promise<StaticEmbedder> | undefined;

/** The embedder of the shipped word vectors, loaded once: about 15 MB and a tenth of a second. */
export function loadStaticEmbedder(): Promise<StaticEmbedder> {
  shared ??= StaticVectors.load().then((vectors) => new StaticEmbedder(vectors));
  return shared;
}
