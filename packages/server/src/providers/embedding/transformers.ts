import { type LoadTransformers, loadPipeline } from '../transformers/library.ts';
import {
  type Embedder,
  EmbeddingFailed,
  type EmbeddingPurpose,
  type TransformersSettings,
} from './embedding.ts';
import { toUnit } from './unit.ts';

export type { LoadTransformers } from '../transformers/library.ts';

/** A table of numbers: `data` holds its rows one after another. */
interface Tensor {
  dims: readonly number[];
  data: ArrayLike<number>;
}

interface FeatureExtraction {
  (texts: string[], options: { pooling: 'mean'; normalize: boolean }): Promise<Tensor>;
  dispose(): Promise<unknown>;
}

const purpose = {
  of: 'embedding',
  task: 'feature-extraction',
  Failed: EmbeddingFailed,
} as const;

/**
 * Embeds by an ONNX sentence model in this process: mean of the token vectors, then unit length.
 * A folder is read from disk without any network; a hub id is downloaded once to `cacheDir`.
 * @throws EmbeddingFailed when the package is missing or the model cannot be loaded
 */
export async function createTransformersEmbedder(
  settings: TransformersSettings,
  load?: LoadTransformers,
): Promise<Embedder> {
  const { run, name } = await loadPipeline<FeatureExtraction>(purpose, settings, load);
  try {
    const [sample] = await rowsOf(run, ['dimensions']);
    return new TransformersEmbedder(run, settings, name, sample?.length ?? 0);
  } catch (cause) {
    throw new EmbeddingFailed(`embedding model ${settings.model} cannot be loaded`, { cause });
  }
}

class TransformersEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly #extract: FeatureExtraction;
  readonly #prefixes: Record<EmbeddingPurpose, string>;

  constructor(
    extract: FeatureExtraction,
    settings: TransformersSettings,
    name: string,
    dimensions: number,
  ) {
    const weights = settings.dtype ? `@${settings.dtype}` : '';
    this.model = `transformers:${name}${weights}`;
    this.dimensions = dimensions;
    this.#extract = extract;
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
    try {
      return await rowsOf(
        this.#extract,
        texts.map((text) => prefix + text),
      );
    } catch (cause) {
      if (cause instanceof EmbeddingFailed) throw cause;
      throw new EmbeddingFailed(`${this.model} failed`, { cause });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#extract.dispose();
  }
}

async function rowsOf(extract: FeatureExtraction, texts: string[]): Promise<Float32Array[]> {
  const { dims, data } = await extract(texts, { pooling: 'mean', normalize: true });
  const [count = 0, dimensions = 0] = dims;
  if (dims.length !== 2 || count !== texts.length || data.length !== count * dimensions) {
    throw new EmbeddingFailed(`model gave [${dims.join(', ')}] numbers for ${texts.length} texts`);
  }
  const all = Float32Array.from(data);
  return texts.map((_, i) => toUnit(all.slice(i * dimensions, (i + 1) * dimensions)));
}
