import { batchBySize } from '../../../kernel/batches.ts';
import { FairSemaphore } from '../../../kernel/fair-semaphore.ts';
import { WorkerThread, WorkerThreadStopped } from '../../../kernel/worker-thread.ts';
import { type Embedder, EmbeddingFailed, type EmbeddingPurpose } from '../embedding.ts';
import { withEmbeddingSpan } from '../traced-call.ts';
import { createProvisionalEncoder, type ProvisionalEncoder } from './provisional-encoder.ts';
import { type EncoderManifest, readEncoderManifest } from './weights.ts';

/** What the thread is asked for. */
export interface EncoderRequest {
  readonly texts: readonly string[];
  readonly purpose: EmbeddingPurpose;
}

/**
 * Documents per request to the thread, by their characters: accounts take turns between requests.
 * A short text counts as `charactersMin`.
 */
const batchCharacters = 2_000;
const charactersMin = 400;
const cachedQueriesMax = 1_000;
/** The weights are in the memory of WebAssembly, which does not count. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

/**
 * Embeds with the shipped sentence encoder, in a thread of its own. A query waits for a part of one
 * document at most, and accounts take turns. The last queries are cached. The thread starts with
 * the first text, and again after a failure. Provisional vectors are computed without the thread.
 */
export class SentenceEncoder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly #provisional: ProvisionalEncoder;
  readonly #turns = { document: new FairSemaphore(1), query: new FairSemaphore(1) };
  /** By text, the latest used last. */
  readonly #cachedQueries = new Map<string, Float32Array>();
  #thread: WorkerThread | undefined;
  #isClosed = false;

  constructor(
    { model, dimensions }: Pick<EncoderManifest, 'model' | 'dimensions'>,
    provisional: ProvisionalEncoder,
  ) {
    this.model = model;
    this.dimensions = dimensions;
    this.#provisional = provisional;
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (purpose === 'query')
      return Promise.all(texts.map((text) => this.#embedQuery(text, signal)));
    const vectors: Float32Array[] = [];
    const sizeOf = ({ length }: string): number => Math.max(length, charactersMin);
    for (const batch of batchBySize(texts, sizeOf, batchCharacters)) {
      vectors.push(...(await this.#requestInTurn({ texts: batch, purpose }, signal)));
    }
    return vectors;
  }

  embedProvisionally(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#provisional.embed(texts);
  }

  async #embedQuery(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const cached = this.#cachedQueries.get(text);
    this.#cachedQueries.delete(text);
    const request = { texts: [text], purpose: 'query' } as const;
    const [vector] = cached ? [cached] : await this.#requestInTurn(request, signal);
    if (!vector) throw new EmbeddingFailed('The sentence encoder returned no vector');
    this.#cachedQueries.set(text, vector);
    const [oldest] = this.#cachedQueries.keys();
    if (this.#cachedQueries.size > cachedQueriesMax && oldest !== undefined) {
      this.#cachedQueries.delete(oldest);
    }
    return vector.slice();
  }

  async #requestInTurn(
    request: EncoderRequest,
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    const release = await this.#turns[request.purpose].acquire(signal);
    try {
      return await withEmbeddingSpan(this, () => this.#request(request));
    } finally {
      release();
    }
  }

  async #request(request: EncoderRequest): Promise<readonly Float32Array[]> {
    if (this.#isClosed) throw new EmbeddingFailed('The sentence encoder is closed');
    this.#thread ??= new WorkerThread(new URL('./entry.ts', import.meta.url), {
      name: 'mneme-encoder',
      resourceLimits,
      onFailure: () => {
        this.#thread = undefined;
      },
    });
    try {
      return (await this.#thread.request(request)) as readonly Float32Array[];
    } catch (cause) {
      const unavailable = cause instanceof WorkerThreadStopped;
      throw new EmbeddingFailed('The sentence encoder failed', { cause, unavailable });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
  }
}

/** Reads what the weights are, which the thread reads, and the map of provisional vectors. */
export async function createSentenceEncoder(): Promise<SentenceEncoder> {
  const manifest = await readEncoderManifest();
  return new SentenceEncoder(manifest, await createProvisionalEncoder(manifest.dimensions));
}
