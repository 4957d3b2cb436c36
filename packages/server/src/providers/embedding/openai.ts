import { type EndpointDeps, OpenAiEndpoint } from '../openai/endpoint.ts';
import { parseJson } from '../openai/error-response.ts';
import { type Embedder, EmbeddingFailed, type OpenAiSettings } from './embedding.ts';
import { toUnitVector } from './unit-vector.ts';

/** Of one number of an answer, with its separator and indentation. */
const numberBytesMax = 40;
/** As many as settings allow. */
const dimensionsMax = 8_192;
/** Of an answer besides its numbers; vectors of a wrong length are still read, to say so. */
const answerBytesSlack = 2 ** 20;

const kind = {
  name: 'embedding endpoint',
  settings: 'MNEME_EMBEDDING',
  path: 'embeddings',
  // About 2,048 vectors of 8,192 numbers. Each call is held to the size of its own vectors.
  responseBytesMax: 256 * 2 ** 20,
  ErrorClass: EmbeddingFailed,
};

/**
 * Embeds through an endpoint that speaks OpenAI's `POST /embeddings`.
 * Without `dimensions` one text is embedded first to learn them, so a wrong address or key shows
 * at the start; with them no call is made.
 * @throws EmbeddingFailed when that first call fails
 */
export async function createOpenAiEmbedder(
  settings: OpenAiSettings,
  surroundings: EndpointDeps = {},
): Promise<Embedder> {
  const client = new EmbeddingsClient(settings, surroundings);
  const dimensions = settings.dimensions ?? (await probe(client, settings));
  return new OpenAiEmbedder(client, settings, dimensions);
}

async function probe(client: EmbeddingsClient, settings: OpenAiSettings): Promise<number> {
  try {
    const [vector] = await client.request(['dimensions']);
    return vector?.length ?? 0;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddingFailed(
      `embedding endpoint ${settings.url} did not answer a first call for ${settings.model} ` +
        `(${why}); set its dimensions to start without that call`,
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
    this.model = `openai:${settings.model}`;
    this.dimensions = dimensions;
    this.#client = client;
    this.#batchSize = settings.batchSize;
  }

  async embed(
    texts: readonly string[],
    _purpose: 'document' | 'query',
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += this.#batchSize) {
      const batch = texts.slice(start, start + this.#batchSize);
      for (const vector of await this.#client.request(batch, signal)) {
        if (vector.length !== this.dimensions) {
          const message = `${vector.length} dimensions instead of ${this.dimensions}`;
          // Another model stands there now: no other text would fare better.
          throw new EmbeddingFailed(`${this.model} answered ${message}`, { unavailable: true });
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

  constructor(settings: OpenAiSettings, surroundings: EndpointDeps) {
    this.#settings = settings;
    this.#endpoint = new OpenAiEndpoint(settings, kind, surroundings);
  }

  /** Unit vectors of one request, tried again while the endpoint is busy or out of reach. */
  async request(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const { dimensions = dimensionsMax } = this.#settings;
    const bytesMax = answerBytesSlack + texts.length * dimensions * numberBytesMax;
    const responseBytesMax = Math.min(kind.responseBytesMax, bytesMax);
    const answer = await this.#endpoint.request(this.#body(texts), signal, responseBytesMax);
    return readVectors(parse(answer), texts.length);
  }

  #body(texts: readonly string[]): string {
    const { model, dimensions } = this.#settings;
    // Endpoints refuse an empty text.
    const input = texts.map((text) => (text === '' ? ' ' : text));
    return JSON.stringify({ model, input, encoding_format: 'float', dimensions });
  }
}

/** Without the parser's error as cause: it quotes the answer, which may repeat a stored text. */
function parse(text: string): unknown {
  const answer = parseJson(text);
  if (answer !== undefined) return answer;
  throw new EmbeddingFailed('embedding endpoint: answer is not JSON');
}

/** Puts `data` in the order of the texts by each entry's `index`. */
function readVectors(answer: unknown, count: number): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) {
    const got = Array.isArray(data) ? data.length : 'no';
    throw new EmbeddingFailed(`embedding endpoint: ${got} vectors for ${count} texts`);
  }
  const vectors = new Array<Float32Array | undefined>(count);
  for (const [place, entry] of data.entries()) {
    const index: unknown = entry?.index ?? place;
    const fits = typeof index === 'number' && Number.isInteger(index) && index >= 0;
    if (!fits || index >= count || vectors[index] !== undefined) {
      throw new EmbeddingFailed(`embedding endpoint: index ${index} is wrong or twice`);
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
  return toUnitVector(Float32Array.from(embedding));
}
