import { type EndpointDeps, OpenAiEndpoint } from '../openai/endpoint.ts';
import { parseJson } from '../openai/error-response.ts';
import {
  type Embedder,
  EmbeddingFailed,
  type EmbeddingPurpose,
  type OpenAiSettings,
} from './embedding.ts';
import { unknownModelRequest } from './models/endpoint-models.ts';
import { fingerprintOf } from './recipe.ts';
import { toUnitVector } from './unit-vector.ts';

/** Bytes of one number in a response, with its separator and indentation. */
const numberBytesMax = 40;
/** The maximum that the settings allow. */
const dimensionsMax = 8_192;
/**
 * Bytes of a response besides its numbers; vectors of a wrong length are still parsed, to report
 * it.
 */
const responseBytesSlack = 2 ** 20;

const kind = {
  name: 'embedding endpoint',
  settings: 'MNEME_EMBEDDING',
  path: 'embeddings',
  // About 2,048 vectors of 8,192 numbers. Each call has a lower limit for its own vectors.
  responseBytesMax: 256 * 2 ** 20,
  ErrorClass: EmbeddingFailed,
};

/**
 * Embeds by an endpoint with OpenAI's `POST /embeddings`. Without `dimensions` it first embeds one
 * text to determine them, so that a wrong address or key fails at the start; with them it makes no
 * call.
 * @throws EmbeddingFailed if that first call fails
 */
export async function createOpenAiEmbedder(
  settings: OpenAiSettings,
  deps: EndpointDeps = {},
): Promise<Embedder> {
  const client = new EmbeddingsClient(settings, deps);
  const dimensions = settings.dimensions ?? (await probe(client, settings));
  return new OpenAiEmbedder(client, settings, dimensions);
}

async function probe(client: EmbeddingsClient, settings: OpenAiSettings): Promise<number> {
  try {
    const [vector] = await client.request(['dimensions'], 'query');
    return vector?.length ?? 0;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddingFailed(
      `embedding endpoint ${settings.url} did not respond for ${settings.model} ` +
        `(${reason}); set its dimensions to start without a first call`,
      { cause, unavailable: true },
    );
  }
}

class OpenAiEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly #client: EmbeddingsClient;
  readonly #batchSize: number;

  constructor(client: EmbeddingsClient, settings: OpenAiSettings, dimensions: number) {
    this.model = `openai:${settings.model}${fingerprintOf(settings.recipe)}`;
    this.dimensions = dimensions;
    this.#client = client;
    this.#batchSize = settings.batchSize;
  }

  async embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += this.#batchSize) {
      const batch = texts.slice(start, start + this.#batchSize);
      for (const vector of await this.#client.request(batch, purpose, signal)) {
        if (vector.length !== this.dimensions) {
          const message = `${vector.length} dimensions instead of ${this.dimensions}`;
          // The endpoint uses another model now: any other text would fail, too.
          throw new EmbeddingFailed(`${this.model} returned ${message}`, { unavailable: true });
        }
        vectors.push(vector);
      }
    }
    return vectors;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

class EmbeddingsClient {
  readonly #settings: OpenAiSettings;
  readonly #endpoint: OpenAiEndpoint;

  constructor(settings: OpenAiSettings, deps: EndpointDeps) {
    this.#settings = settings;
    this.#endpoint = new OpenAiEndpoint(settings, kind, deps);
  }

  /** Unit vectors of one request, retried while the endpoint is busy or unreachable. */
  async request(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const { recipe } = this.#settings;
    const truncateTo = recipe?.truncateTo ?? null;
    const dimensions = (truncateTo === null && this.#settings.dimensions) || dimensionsMax;
    const bytesMax = responseBytesSlack + texts.length * dimensions * numberBytesMax;
    const responseBytesMax = Math.min(kind.responseBytesMax, bytesMax);
    const body = this.#body(texts, purpose);
    const response = await this.#endpoint.request(body, signal, responseBytesMax);
    const vectors = readVectors(parse(response), texts.length);
    return vectors.map((vector) => truncate(vector, truncateTo));
  }

  #body(texts: readonly string[], purpose: EmbeddingPurpose): string {
    const { model, dimensions, recipe } = this.#settings;
    const prefix = recipe?.prefixes[purpose] ?? '';
    const { dimensionsField, inputTypes, hasEncodingFormat } =
      recipe?.request ?? unknownModelRequest;
    // Endpoints reject an empty text.
    const input = texts.map((text) => prefix + text || ' ');
    return JSON.stringify({
      model,
      input,
      ...(hasEncodingFormat && { encoding_format: 'float' }),
      ...(dimensionsField && { [dimensionsField]: dimensions }),
      ...(inputTypes && { input_type: inputTypes[purpose] }),
    });
  }
}

/** Omits the parser's error as cause: it quotes the response, which may contain a stored text. */
function parse(text: string): unknown {
  const response = parseJson(text);
  if (response !== undefined) return response;
  throw new EmbeddingFailed('embedding endpoint: the response is not JSON');
}

/** Sorts `data` in the order of the texts by each entry's `index`. */
function readVectors(response: unknown, count: number): Float32Array[] {
  const data = (response as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) {
    const got = Array.isArray(data) ? data.length : 'no';
    throw new EmbeddingFailed(`embedding endpoint: ${got} vectors for ${count} texts`);
  }
  const vectors = new Array<Float32Array | undefined>(count);
  for (const [position, entry] of data.entries()) {
    const index: unknown = entry?.index ?? position;
    const fits = typeof index === 'number' && Number.isInteger(index) && index >= 0;
    if (!fits || index >= count || vectors[index] !== undefined) {
      throw new EmbeddingFailed(`embedding endpoint: index ${index} is invalid or duplicated`);
    }
    vectors[index] = readVector(entry?.embedding);
  }
  return vectors as Float32Array[];
}

function readVector(embedding: unknown): Float32Array {
  const usable =
    Array.isArray(embedding) &&
    embedding.length > 0 &&
    embedding.every((value) => Number.isFinite(value));
  if (!usable) throw new EmbeddingFailed('embedding endpoint: a vector is not a list of numbers');
  return Float32Array.from(embedding);
}

/** Shorter vectors are reported by the caller, who knows the expected length. */
const truncate = (vector: Float32Array, length: number | null): Float32Array =>
  toUnitVector(length === null ? vector : vector.slice(0, length));
