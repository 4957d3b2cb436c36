import path from 'node:path';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type ModelClient, ModelProcess } from '../model-process/index.ts';
import {
  type Embedder,
  EmbeddingFailed,
  type EmbeddingPurpose,
  type TransformersSettings,
} from './embedding.ts';
import { verifyInstalledModel } from './models/installed-models.ts';
import { fingerprintOf } from './recipe.ts';
import type { SentenceEmbeddings, SentenceModelSettings } from './sentence-model.ts';
import { withEmbeddingSpan } from './traced-call.ts';

type SentenceModelClient = ModelClient<readonly string[], SentenceEmbeddings> & AsyncDisposable;

/** Creates the process of a sentence model. */
export const createSentenceModelProcess = (
  { env, ...settings }: SentenceModelSettings,
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

/** The settings of its process. */
const toSentenceModelSettings = ({
  model,
  installed,
  cacheDir,
  dtype,
  env,
  recipe,
}: TransformersSettings): SentenceModelSettings => ({
  model: installed ? path.join(cacheDir, model) : model,
  cacheDir,
  ...(dtype === undefined ? {} : { dtype }),
  ...(env === undefined ? {} : { env }),
  ...(recipe === undefined ? {} : { recipe }),
});

/**
 * Embeds with an ONNX sentence model in a child process. A folder is read from disk without network
 * access; a hub id is downloaded once to `cacheDir`. The checksums of an installed model are
 * compared first.
 * @throws EmbeddingFailed if the package is missing or the model cannot be loaded
 */
export async function createTransformersEmbedder(
  settings: TransformersSettings,
  process?: SentenceModelClient,
): Promise<Embedder> {
  if (settings.installed) await verifyInstalledModel(settings.cacheDir, settings.model);
  const sentences = process ?? createSentenceModelProcess(toSentenceModelSettings(settings));
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
    this.model = `transformers:${name}${weights}${fingerprintOf(settings.recipe)}`;
    this.dimensions = dimensions;
    this.#sentences = sentences;
    this.#prefixes = settings.recipe?.prefixes ?? {
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
    const request = () => this.#sentences.request(prefixed, never);
    return (await withEmbeddingSpan(this, request)).vectors;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#sentences[Symbol.asyncDispose]();
  }
}
