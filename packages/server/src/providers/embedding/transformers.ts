import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type ModelClient, ModelProcess } from '../model-process/index.ts';
import type { OnnxSettings } from '../transformers/library.ts';
import {
  type Embedder,
  EmbeddingFailed,
  type EmbeddingPurpose,
  type TransformersSettings,
} from './embedding.ts';
import type { SentenceEmbeddings } from './sentence-model.ts';

type SentenceModelClient = ModelClient<readonly string[], SentenceEmbeddings> & AsyncDisposable;

/** Creates the process of a sentence model. */
export const createSentenceModelProcess = (
  { env, ...settings }: OnnxSettings,
  clock: Pick<Clock, 'after'> = systemClock,
): SentenceModelClient =>
  new ModelProcess<readonly string[], SentenceEmbeddings>(
    {
      name: settings.model,
      task: settings,
      script: new URL('./sentence-model-process.ts', import.meta.url),
      // Ten times longer than any observed batch.
      timeoutMs: 600_000,
      // Never unloaded, since a search would wait for it to load again.
      idleMs: null,
      memoryBytes: null,
      env,
      ErrorClass: EmbeddingFailed,
    },
    clock,
  );

/** The process serves other callers, too: an aborted call does not stop its computation. */
const { signal: never } = new AbortController();

/**
 * Embeds with an ONNX sentence model in a child process. A folder is read from disk without network
 * access; a hub id is downloaded once to `cacheDir`.
 * @throws EmbeddingFailed if the package is missing or the model cannot be loaded
 */
export async function createTransformersEmbedder(
  settings: TransformersSettings,
  sentences: SentenceModelClient = createSentenceModelProcess(settings),
): Promise<Embedder> {
  try {
    const { name, vectors } = await sentences.request(['dimensions'], never);
    const dimensions = vectors[0]?.length ?? 0;
    return new TransformersEmbedder(sentences, settings, { name, dimensions });
  } catch (error) {
    await sentences[Symbol.asyncDispose]();
    throw error;
  }
}

class TransformersEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly #sentences: SentenceModelClient;
  readonly #prefixes: Record<EmbeddingPurpose, string>;

  constructor(
    sentences: SentenceModelClient,
    settings: TransformersSettings,
    { name, dimensions }: { name: string; dimensions: number },
  ) {
    const weights = settings.dtype ? `@${settings.dtype}` : '';
    this.model = `transformers:${name}${weights}`;
    this.dimensions = dimensions;
    this.#sentences = sentences;
    this.#prefixes = {
      query: settings.queryPrefix ?? '',
      document: settings.documentPrefix ?? '',
    };
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    const prefix = this.#prefixes[purpose];
    const prefixed = texts.map((text) => prefix + text);
    return (await this.#sentences.request(prefixed, never)).vectors;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#sentences[Symbol.asyncDispose]();
  }
}
