/** What a text is embedded for: some models prefix questions and documents differently. */
export type EmbeddingPurpose = 'document' | 'query';

/** Turns texts into vectors whose dot product is their similarity. */
export interface Embedder extends AsyncDisposable {
  /** Recorded with every vector, e.g. `static-en-192@1` or `openai:text-embedding-3-small`. */
  readonly model: string;
  readonly dimensions: number;
  /** Where the model may be out of reach: whether the last call found it so. */
  readonly isFailing?: boolean;
  /**
   * Embeds texts. An empty list gives an empty list without any call.
   * @returns one unit vector of `dimensions` floats per text, in the order of the texts
   * @throws EmbeddingFailed when the model cannot answer or answers nonsense
   * @throws the signal's reason when it is aborted
   */
  embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal?: AbortSignal,
  ): Promise<Float32Array[]>;
}

export interface EmbeddingFailedOptions extends ErrorOptions {
  /** The model could not be reached or was too busy: no other text would have fared better. */
  unavailable?: boolean;
}

/** The model did not give usable vectors. The message is for the log, not for a caller. */
export class EmbeddingFailed extends Error {
  override readonly name = 'EmbeddingFailed';
  readonly unavailable: boolean;

  constructor(message: string, options: EmbeddingFailedOptions = {}) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
  }
}

export interface OpenAiSettings {
  provider: 'openai';
  /** Base address of the API, e.g. `https://api.openai.com/v1`; `/embeddings` is appended. */
  url: string;
  apiKey?: string;
  model: string;
  /** Asked of the endpoint when given; found by one call at creation when not. */
  dimensions?: number;
  /** For one attempt, in milliseconds. */
  timeoutMs: number;
  /** Texts per request, at most. */
  batchSize: number;
}

export interface TransformersSettings {
  provider: 'transformers';
  /** A folder with `config.json`, `tokenizer.json` and `onnx/`, or an id on the model hub. */
  model: string;
  /** Which weights, e.g. `fp32` or `q8`; the library chooses when absent. */
  dtype?: string;
  cacheDir: string;
  /** The environment of its process. */
  env?: Readonly<Record<string, string>>;
  queryPrefix?: string;
  documentPrefix?: string;
}

export type EmbeddingSettings = { provider: 'static' } | OpenAiSettings | TransformersSettings;
