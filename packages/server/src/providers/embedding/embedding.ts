import type { EndpointRequest, Pooling, Prefixes } from './models/known-model.ts';

/** Purpose of an embedding: some models prefix queries and documents differently. */
export type EmbeddingPurpose = 'document' | 'query';

/** Converts texts into vectors whose dot product is their similarity. */
export interface Embedder extends AsyncDisposable {
  /** Stored with every vector, e.g. `static-en-192@1` or `openai:text-embedding-3-small`. */
  readonly model: string;
  readonly dimensions: number;
  /** Whether the last call failed because the model was unavailable; only for remote models. */
  readonly isFailing?: boolean;
  /**
   * Embeds texts. An empty list returns an empty list without a call.
   * @returns one unit vector of `dimensions` floats per text, in the order of the texts
   * @throws EmbeddingFailed if the model fails or returns invalid vectors
   * @throws the signal's reason when it is aborted
   */
  embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[]>;
  /**
   * Approximates the vectors of documents, much faster than `embed`; they serve until `embed` has
   * made the final ones. Only models whose documents are encoded in the background have it.
   */
  embedProvisionally?(texts: readonly string[]): Promise<Float32Array[]>;
}

export interface EmbeddingFailedOptions extends ErrorOptions {
  /** The model was unreachable or too busy: any other text would have failed, too. */
  unavailable?: boolean;
}

/** The model returned no usable vectors. The message is for the log, not for API callers. */
export class EmbeddingFailed extends Error {
  override readonly name = 'EmbeddingFailed';
  readonly unavailable: boolean;

  constructor(message: string, options: EmbeddingFailedOptions = {}) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
  }
}

/** How an endpoint makes vectors of texts. */
export interface EndpointRecipe {
  readonly prefixes: Prefixes;
  readonly request: EndpointRequest;
  /** Longer vectors of the endpoint are truncated; null: they are not. */
  readonly truncateTo: number | null;
}

/** How a local model makes vectors of texts. */
export interface LocalRecipe {
  readonly pooling: Pooling;
  readonly prefixes: Prefixes;
  /** Longer vectors are truncated; null: they are not. */
  readonly truncateTo: number | null;
  /** Whether vectors are normalized by mean and variance before they are truncated. */
  readonly layerNorm: boolean;
  /** Longer texts are truncated; null: the limit of the tokenizer. */
  readonly tokensMax: number | null;
  /** Of the files of an installed model; null: it is not installed. */
  readonly checksum: string | null;
}

export interface OpenAiSettings {
  provider: 'openai';
  /** Base address of the API, e.g. `https://api.openai.com/v1`; `/embeddings` is appended. */
  url: string;
  apiKey?: string;
  model: string;
  /** Requested from the endpoint if set; otherwise determined by one call at creation. */
  dimensions?: number;
  /** Timeout of one attempt, in milliseconds. */
  timeoutMs: number;
  /** Maximum number of texts per request. */
  batchSize: number;
  /** Without it, texts are sent as they are. */
  recipe?: EndpointRecipe;
}

export interface TransformersSettings {
  provider: 'transformers';
  /**
   * A folder with `config.json`, `tokenizer.json` and `onnx/`, or a model id on the hub, or the
   * name of an installed model.
   */
  model: string;
  /** Whether the model is in the folder of its name in `cacheDir`. */
  installed?: true;
  /** Type of the weights, e.g. `fp32` or `q8`; default: the library chooses. */
  dtype?: string;
  cacheDir: string;
  /** Environment of its process. */
  env?: Readonly<Record<string, string>>;
  queryPrefix?: string;
  documentPrefix?: string;
  /** Replaces the prefixes; without it, vectors are means of the tokens. */
  recipe?: LocalRecipe;
}

/** What is shipped needs no settings. */
export interface ShippedModelSettings {
  provider: 'static' | 'encoder';
}

export type EmbeddingSettings = ShippedModelSettings | OpenAiSettings | TransformersSettings;
