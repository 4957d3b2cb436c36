export interface ModelRequest {
  /** Parameters for loading the model: the same in each request. */
  readonly task: unknown;
  readonly input: unknown;
}

export interface ModelFailure {
  /** Name of the error class. */
  readonly name: string;
  readonly message: string;
  readonly unavailable: boolean;
  readonly isPermanent: boolean;
  /** The complete error, for the log. */
  readonly inspected: string;
}

export type ModelResponse = { readonly answer: unknown } | { readonly failed: ModelFailure };
