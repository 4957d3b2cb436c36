import {
  type AnyInput,
  type CallOptions,
  callOptionNames,
  inputNames,
  type OperationCaller,
  type UntypedCall,
} from './calls.ts';
import { MnemeError } from './errors.ts';
import { type ClientRuntime, defaultClientRuntime } from './kernel.ts';
import type { Operation } from './operation.ts';
import { assertKnownNames } from './options.ts';
import { type Page, paginate } from './paginate.ts';
import { type RetryPolicy, sendWithRetry } from './retry.ts';
import {
  prepareRequest,
  type RawResponse,
  type RequestHooks,
  type TransportOptions,
} from './transport.ts';
import { fillPathParams, normalizeBaseUrl } from './url.ts';

/** Checks inputs and results; `@mneme/sdk/validation` has one. */
export interface Validator {
  /** Throws for an input that the operation does not accept. */
  readonly checkInput: (operation: Operation, input: AnyInput) => void;
  /** Throws for a body that the operation does not declare for this status. */
  readonly checkResult: (operation: Operation, response: RawResponse) => void;
}

export interface ClientOptions extends Partial<ClientRuntime>, RequestHooks {
  /** URL of the service, with or without /v1; default: http://127.0.0.1:7077. */
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Timeout of one attempt in ms, default 40,000: a response can wait 30 s for its result. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first; default: 3. */
  readonly retries?: number | undefined;
  /** Checks every input before it is sent, and every result; default: none. */
  readonly validator?: Validator | undefined;
}

const optionNames: readonly (keyof ClientOptions)[] = [
  'url',
  'apiKey',
  'timeoutMs',
  'retries',
  'onRequest',
  'onResponse',
  'onFailure',
  'validator',
  'fetch',
  'sleep',
  'random',
  'uuid',
];

/**
 * Creates a caller of single operations, without the methods of a client: a bundler then keeps only
 * the operations that are used. Throws a TypeError for an invalid URL and for an unknown option.
 *
 * ```ts
 * import { createCaller } from '@mneme/sdk';
 * import { memoriesCreate } from '@mneme/sdk/operations';
 *
 * const { call } = createCaller({ apiKey });
 * await call(memoriesCreate, { body: { content: 'Ana prefers tea over coffee.' } });
 * ```
 */
export function createCaller(options: ClientOptions = {}): OperationCaller {
  return createUntypedCaller(createTransport(options), options.validator) as OperationCaller;
}

/** Throws a TypeError for an invalid URL and for an unknown option. */
export function createTransport(options: ClientOptions): TransportOptions {
  assertKnownNames('createClient', options, optionNames);
  return {
    baseUrl: normalizeBaseUrl(options.url ?? 'http://127.0.0.1:7077'),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? 40_000,
    retries: options.retries ?? 3,
    hooks: options,
    runtime: {
      fetch: options.fetch ?? defaultClientRuntime.fetch,
      sleep: options.sleep ?? defaultClientRuntime.sleep,
      random: options.random ?? defaultClientRuntime.random,
      uuid: options.uuid ?? defaultClientRuntime.uuid,
    },
  };
}

export interface UntypedCaller {
  readonly call: UntypedCall<unknown>;
  readonly raw: UntypedCall<RawResponse>;
  paginate(operation: Operation, input?: AnyInput, options?: CallOptions): AsyncGenerator<unknown>;
  /** Iterates over a list whose first page is requested already. */
  paginateFrom(
    firstPage: Promise<unknown>,
    operation: Operation,
    input?: AnyInput,
    options?: CallOptions,
  ): AsyncGenerator<unknown>;
}

export function createUntypedCaller(
  transport: TransportOptions,
  validator: Validator | undefined,
): UntypedCaller {
  const raw: UntypedCall<RawResponse> = async (operation, input = {}, options = {}) => {
    assertKnownNames(`The input of ${operation.id}`, input, inputNames);
    assertKnownNames(`A call of ${operation.id}`, options, callOptionNames);
    validator?.checkInput(operation, input);
    const response = await callOperation(transport, operation, input, options);
    validator?.checkResult(operation, response);
    return response;
  };
  const call: UntypedCall<unknown> = async (...args) => (await raw(...args)).body;
  const readPages = (
    operation: Operation,
    input: AnyInput = {},
    options: CallOptions = {},
    firstPage?: Promise<unknown>,
  ): AsyncGenerator<unknown> =>
    paginate(
      async (position) => {
        const isFirst = firstPage !== undefined && Object.keys(position).length === 0;
        if (isFirst) return (await firstPage) as Page;
        const query = { ...input.query, ...position };
        return (await call(operation, { ...input, query }, options)) as Page;
      },
      Number(input.query?.offset ?? 0),
    );
  return {
    raw,
    call,
    paginate: readPages,
    paginateFrom: (firstPage, operation, input, options) =>
      readPages(operation, input, options, firstPage),
  };
}

async function callOperation(
  transport: TransportOptions,
  operation: Operation,
  input: AnyInput,
  options: CallOptions,
): Promise<RawResponse> {
  const { uuid } = transport.runtime;
  const key = options.idempotencyKey ?? (operation.idempotent ? uuid() : undefined);
  const prepared = prepareRequest(transport, {
    operation: operation.id,
    method: operation.method,
    path: fillPathParams(operation.path, input.params ?? {}),
    query: input.query,
    body: input.body,
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    unread: operation.binary ?? false,
    headers: {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...operation.headers,
      ...input.headers,
      ...options.headers,
    },
  });
  const response = await sendWithRetry(
    transport,
    prepared,
    retryPolicyFor(operation, prepared.init.headers),
  );
  if (isExpectedResponse(operation, response)) return response;
  throw new MnemeError(response);
}

/**
 * PUT, PATCH and DELETE of this API are idempotent; a POST is idempotent if it only reads or has an
 * Idempotency-Key. With If-Match or Upload-Offset, a retry would return 412 or 409 and hide that
 * the first attempt took effect.
 */
function retryPolicyFor(operation: Operation, requestHeaders: RequestInit['headers']): RetryPolicy {
  const headers = new Headers(requestHeaders);
  const reads = operation.method === 'GET' || operation.reads === true;
  const repeatable = reads || operation.method !== 'POST' || headers.has('idempotency-key');
  const isConditional = headers.has('if-match') || headers.has('upload-offset');
  return {
    afterConnectionLoss: repeatable && !isConditional,
    afterServerError: reads,
    isExpectedResponse: (response) => isExpectedResponse(operation, response),
  };
}

/**
 * A success of the declared kind, or another status that the operation declares, such as 503 of
 * /ready, whose body is not that of an error.
 */
function isExpectedResponse(operation: Operation, { status, body }: RawResponse): boolean {
  const isSuccess = status >= 200 && status < 300;
  if (operation.binary) return status === 304 || isSuccess;
  const isJson = typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
  if (!isSuccess) return isJson && !('error' in body) && !!operation.statuses?.includes(status);
  return (
    isJson || operation.empty === true || (operation.text === true && typeof body === 'string')
  );
}
