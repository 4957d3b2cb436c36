import { type Embedder, EmbeddingFailed, type OpenAiSettings } from './embedding.ts';
import { type Setback, type Sleep, sleepFor, withRetries } from './retry.ts';
import { toUnit } from './unit.ts';

export interface OpenAiSurroundings {
  fetch?: typeof fetch;
  sleep?: Sleep;
}

const MESSAGE_LENGTH_MAX = 300;

/**
 * Embeds through an endpoint that speaks OpenAI's `POST /embeddings`.
 * Without `dimensions` one text is embedded first to learn them, so a wrong address or key shows
 * at the start; with them no call is made.
 * @throws EmbeddingFailed when that first call fails
 */
export async function createOpenAiEmbedder(
  settings: OpenAiSettings,
  surroundings: OpenAiSurroundings = {},
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
  readonly #address: string;
  readonly #fetch: typeof fetch;
  readonly #sleep: Sleep;

  constructor(settings: OpenAiSettings, surroundings: OpenAiSurroundings) {
    this.#settings = settings;
    this.#address = `${settings.url.replace(/\/+$/, '')}/embeddings`;
    this.#fetch = surroundings.fetch ?? fetch;
    this.#sleep = surroundings.sleep ?? sleepFor;
  }

  /** Unit vectors of one request, tried again while the endpoint is busy or out of reach. */
  async request(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const answer = await withRetries(() => this.#attempt(texts, signal), this.#sleep, signal);
    return readVectors(answer, texts.length);
  }

  async #attempt(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<{ value: unknown } | Setback> {
    const timeout = AbortSignal.timeout(this.#settings.timeoutMs);
    try {
      const response = await this.#fetch(this.#address, {
        method: 'POST',
        headers: this.#headers(),
        body: this.#body(texts),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // A redirect could carry the key to another host.
        redirect: 'error',
      });
      const text = await response.text();
      return response.ok ? { value: parse(text) } : this.#refusal(response, text);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof EmbeddingFailed) throw cause;
      const why = timeout.aborted
        ? `no answer within ${this.#settings.timeoutMs} ms`
        : 'no connection';
      const message = `embedding endpoint: ${why}`;
      const error = new EmbeddingFailed(message, { cause, unavailable: true });
      return { error, again: true, slow: timeout.aborted };
    }
  }

  #headers(): Record<string, string> {
    const { apiKey } = this.#settings;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (apiKey) headers.authorization = `Bearer ${apiKey}`;
    return headers;
  }

  #body(texts: readonly string[]): string {
    const { model, dimensions } = this.#settings;
    // Endpoints refuse an empty text.
    const input = texts.map((text) => (text === '' ? ' ' : text));
    return JSON.stringify({ model, input, encoding_format: 'float', dimensions });
  }

  #refusal(response: Response, text: string): Setback {
    const again = response.status === 429 || response.status >= 500;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const { apiKey } = this.#settings;
    // Some endpoints repeat the key they refuse.
    const told = apiKey ? text.replaceAll(apiKey, '***') : text;
    const message = `embedding endpoint: ${response.status} ${told.slice(0, MESSAGE_LENGTH_MAX)}`;
    return {
      error: new EmbeddingFailed(message, { unavailable: again || isDenied(response.status) }),
      again,
      pauseMs: seconds >= 0 ? seconds * 1000 : undefined,
    };
  }
}

/** A refused key or model name fails every text alike. */
function isDenied(status: number): boolean {
  return status === 401 || status === 403 || status === 404;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EmbeddingFailed('embedding endpoint: answer is not JSON', { cause });
  }
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
  return toUnit(Float32Array.from(embedding));
}
