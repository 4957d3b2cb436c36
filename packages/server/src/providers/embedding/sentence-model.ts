import { type LoadTransformers, loadPipeline, type OnnxSettings } from '../transformers/library.ts';
import { EmbeddingFailed } from './embedding.ts';
import { toUnitVector } from './unit-vector.ts';

export interface SentenceEmbeddings {
  /** Name of the model: the last path segment for a folder. */
  readonly name: string;
  /** One unit vector per text. */
  readonly vectors: Float32Array[];
}

/** A matrix: `data` contains its rows one after another. */
interface Tensor {
  dims: readonly number[];
  data: ArrayLike<number>;
}

type FeatureExtraction = (
  texts: readonly string[],
  options: { pooling: 'mean'; normalize: boolean },
) => Promise<Tensor>;

const purpose = {
  provider: 'embedding',
  task: 'feature-extraction',
  ErrorClass: EmbeddingFailed,
} as const;

/**
 * Loads an ONNX sentence model and returns its embed function: mean of the token vectors, then unit
 * length.
 */
export async function loadSentenceModel(
  settings: OnnxSettings,
  load?: LoadTransformers,
): Promise<(texts: readonly string[]) => Promise<SentenceEmbeddings>> {
  const { run, name } = await loadPipeline<FeatureExtraction>(purpose, settings, load);
  return async (texts) => {
    const table = await run(texts, { pooling: 'mean', normalize: true }).catch((cause: unknown) => {
      throw new EmbeddingFailed(`${settings.model} failed`, { cause });
    });
    return { name, vectors: rowsOf(table, texts.length) };
  };
}

function rowsOf({ dims, data }: Tensor, texts: number): Float32Array[] {
  const [count = 0, dimensions = 0] = dims;
  if (dims.length !== 2 || count !== texts || data.length !== count * dimensions) {
    throw new EmbeddingFailed(`model returned [${dims.join(', ')}] numbers for ${texts} texts`);
  }
  const all = Float32Array.from(data);
  return Array.from({ length: count }, (_, i) =>
    toUnitVector(all.slice(i * dimensions, (i + 1) * dimensions)),
  );
}
