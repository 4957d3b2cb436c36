import type { Embedder } from './embedding.ts';
import { StaticVectors } from './static-vectors.ts';
import { backgroundWeights, TextSum } from './text-vector.ts';
import { textWords } from './words.ts';

/** Embeds by the shipped word vectors: no network, no model to run, no state. */
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
    /** Characters since the event loop had a turn. */
    let read = 0;
    for (const text of texts) {
      if (read > 0 && read + text.length > partCharacters) {
        await turnOfOthers();
        read = 0;
      }
      embedded.push(await this.#embedOne(text));
      read += text.length;
    }
    return embedded;
  }

  /** A long text is read a part at a time: the event loop gets a turn in between. */
  async #embedOne(text: string): Promise<Float32Array> {
    const vectors = this.#vectors;
    const sum = new TextSum(vectors, backgroundWeights(vectors));
    const isKnown = (word: string) => vectors.indexOf(word) !== undefined;
    for (let from = 0; from < text.length; ) {
      if (from > 0) await turnOfOthers();
      const to = endOfPart(text, from);
      sum.add(textWords(text.slice(from, to), isKnown));
      from = to;
    }
    return sum.vector(vectors.mean, text);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** About 10 ms of work. */
const partCharacters = 50_000;

const turnOfOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Where white space ends a part; texts without any are cut where it is due. */
function endOfPart(text: string, from: number): number {
  const due = from + partCharacters;
  if (due >= text.length) return text.length;
  const space = text.slice(due, due + 1_000).search(/\s/);
  if (space >= 0) return due + space;
  return /[\uDC00-\uDFFF]/.test(text.charAt(due)) ? due + 1 : due;
}

/** Loads the shipped word vectors: about 15 MB and a tenth of a second. */
export async function createStaticEmbedder(): Promise<StaticEmbedder> {
  return new StaticEmbedder(await StaticVectors.load());
}
