export interface ModelRequest {
  /** What the model is loaded by: the same with each question. */
  readonly task: unknown;
  readonly input: unknown;
}

export interface ModelFailure {
  /** Of the error's class. */
  readonly name: string;
  readonly message: string;
  readonly unavailable: boolean;
  readonly isPermanent: boolean;
  /** The whole of it, for the log. */
  readonly inspected: string;
}

export type ModelResponse = { readonly answer: unknown } | { readonly failed: ModelFailure };
