import { type LoadTransformers, loadPipeline, type OnnxSettings } from '../transformers/library.ts';
import { EmbeddingFailed, type LocalRecipe } from './embedding.ts';
import type { Pooling } from './models/known-model.ts';
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

/** The pooling by its name in the package. */
const poolingNames = { mean: 'mean', cls: 'cls', last: 'last_token' } as const satisfies Record<
  Pooling,
  string
>;

interface FeatureExtraction {
  (
    texts: readonly string[],
    options: { pooling: (typeof poolingNames)[Pooling]; normalize: boolean },
  ): Promise<Tensor>;
  readonly tokenizer?: { readonly model_max_length?: number };
}

export interface SentenceModelSettings extends OnnxSettings {
  /** Without it, vectors are means of the tokens. */
  readonly recipe?: Omit<LocalRecipe, 'prefixes' | 'checksum'>;
}

const purpose = {
  provider: 'embedding',
  task: 'feature-extraction',
  ErrorClass: EmbeddingFailed,
} as const;

/**
 * Loads an ONNX sentence model and returns its embed function: the token vectors are pooled, then
 * truncated, then scaled to unit length.
 */
export async function loadSentenceModel(
  { recipe, ...settings }: SentenceModelSettings,
  load?: LoadTransformers,
): Promise<(texts: readonly string[]) => Promise<SentenceEmbeddings>> {
  const { run, name } = await loadPipeline<FeatureExtraction>(purpose, settings, load);
  const tokensMax = recipe?.tokensMax ?? null;
  if (tokensMax !== null && run.tokenizer) {
    const { model_max_length: limit = Number.POSITIVE_INFINITY } = run.tokenizer;
    // In the package, this is a getter of the class.
    const value = Math.min(limit, tokensMax);
    Object.defineProperty(run.tokenizer, 'model_max_length', { value, configurable: true });
  }
  // The package takes the last position, where shorter texts of a batch have padding.
  const batchMax = recipe?.pooling === 'last' ? 1 : Number.POSITIVE_INFINITY;
  const options = { pooling: poolingNames[recipe?.pooling ?? 'mean'], normalize: !recipe };
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const table = await run(texts, options).catch((cause: unknown) => {
      throw new EmbeddingFailed(`${settings.model} failed`, { cause });
    });
    return rowsOf(table, texts.length).map((row) => toUnitVector(truncate(row, recipe)));
  };
  return async (texts) => {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += batchMax) {
      vectors.push(...(await embed(texts.slice(at, at + batchMax))));
    }
    return { name, vectors };
  };
}

function truncate(
  vector: Float32Array,
  { truncateTo = null, layerNorm = false }: Partial<LocalRecipe> = {},
): Float32Array {
  if (truncateTo === null || truncateTo === vector.length) return vector;
  if (truncateTo > vector.length) {
    throw new EmbeddingFailed(`vectors have ${vector.length} dimensions, not ${truncateTo}`);
  }
  return (layerNorm ? toStandardScores(vector) : vector).slice(0, truncateTo);
}

/** Subtracts the mean and divides by the standard deviation (Ba et al. 2016, without weights). */
function toStandardScores(vector: Float32Array): Float32Array {
  const mean = vector.reduce((sum, value) => sum + value, 0) / vector.length;
  const variance = vector.reduce((sum, value) => sum + (value - mean) ** 2, 0) / vector.length;
  const deviation = Math.sqrt(variance + 1e-5);
  return vector.map((value) => (value - mean) / deviation);
}

function rowsOf({ dims, data }: Tensor, texts: number): Float32Array[] {
  const [count = 0, dimensions = 0] = dims;
  if (dims.length !== 2 || count !== texts || data.length !== count * dimensions) {
    throw new EmbeddingFailed(`model returned [${dims.join(', ')}] numbers for ${texts} texts`);
  }
  const all = Float32Array.from(data);
  return Array.from({ length: count }, (_, i) => all.slice(i * dimensions, (i + 1) * dimensions));
}
