import type { ListOperation, Operation } from './operation.ts';

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt in ms; overrides that of the client. */
  readonly timeoutMs?: number | undefined;
  /** Generated for each call of an operation that accepts one, so that retries are safe. */
  readonly idempotencyKey?: string | undefined;
}

export const callOptionNames: readonly (keyof CallOptions)[] = [
  'headers',
  'signal',
  'timeoutMs',
  'idempotencyKey',
];

/** The parts of a request; each operation defines which it has. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly body?: unknown;
}

export const inputNames: readonly (keyof AnyInput)[] = ['params', 'query', 'headers', 'body'];

/** The input can be omitted if none of its parts is required. */
type OperationArguments<Input> = object extends Input
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions];

/** A response with its status and headers, such as ETag. */
export interface FullResponse<Result> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Result;
}

export interface OperationCaller {
  /**
   * Calls an operation and returns the body of its response; for a binary operation the unread
   * `Response` of fetch. Throws MnemeError for every response that the operation does not declare,
   * TypeError if the connection fails or the input cannot be sent, and TimeoutError after
   * `timeoutMs`.
   */
  call<Input, Result>(
    operation: Operation<Input, Result>,
    ...call: OperationArguments<Input>
  ): Promise<Result>;
  /** Like `call`, with status and headers. */
  raw<Input, Result>(
    operation: Operation<Input, Result>,
    ...call: OperationArguments<Input>
  ): Promise<FullResponse<Result>>;
  /** Iterates over every record of a paginated list, and reads pages on demand. */
  paginate<Input, Result, Item>(
    operation: ListOperation<Input, Result, Item>,
    ...call: OperationArguments<Input>
  ): AsyncGenerator<Item, void>;
}

/** Calls without types, as the code of this package has them. */
export type UntypedCall<T> = (
  operation: Operation,
  input?: AnyInput,
  options?: CallOptions,
) => Promise<T>;
