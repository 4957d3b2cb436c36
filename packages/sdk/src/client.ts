import { type Memory, type Route, routes } from '@mneme/contract';
import type {
  CallOptions,
  CallResult,
  IfPaginated,
  RouteArguments,
  RouteCaller,
  RouteListItem,
} from './calls.ts';
import { MnemeError } from './errors.ts';
import { type FollowedEvent, type FollowOptions, followEvents } from './follow.ts';
import { type ClientRuntime, defaultClientRuntime } from './kernel.ts';
import { type Page, paginate } from './paginate.ts';
import { type RetryPolicy, sendWithRetry } from './retry.ts';
import {
  prepareRequest,
  type RawRequest,
  type RawResponse,
  sendRequest,
  type TransportOptions,
} from './transport.ts';
import {
  type CompletedUpload,
  type FileUpload,
  type PartsUpload,
  type UploadInPartsOptions,
  uploadFile,
  uploadInParts,
} from './upload.ts';
import { fillPathParams, normalizeBaseUrl } from './url.ts';

export interface ClientOptions extends Partial<ClientRuntime> {
  /** URL of the service, with or without /v1; default: http://127.0.0.1:7077. */
  readonly url?: string;
  readonly apiKey?: string | undefined;
  /** Timeout of one attempt in ms, default 40,000: a response can wait 30 s for its result. */
  readonly timeoutMs?: number;
  /** Attempts after the first; default: 3. */
  readonly retries?: number;
  /** Called for every response, including those that are retried, before it is evaluated. */
  readonly onResponse?: (response: RawResponse, request: RawRequest) => void;
}

/** Routes with a response that ends: an event stream has none to return. */
type VerbsWithResponse<A> = {
  [V in keyof A]: A[V] extends { readonly eventStream: string } ? never : V;
}[keyof A];

type Areas = {
  readonly [A in keyof typeof routes]: {
    readonly [V in VerbsWithResponse<(typeof routes)[A]>]: (typeof routes)[A][V] extends Route
      ? (
          ...call: RouteArguments<(typeof routes)[A][V]>
        ) => Promise<CallResult<(typeof routes)[A][V]>>
      : never;
  };
};

export interface Client extends Areas, RouteCaller {
  readonly memories: Areas['memories'] & {
    /** Stores a text, audio or video file; the service detects the type from its bytes. */
    upload(file: FileUpload, options?: CallOptions): Promise<Memory>;
    /** Like `upload`, in parts that resume after a lost connection. */
    uploadInParts(file: PartsUpload, options?: UploadInPartsOptions): Promise<CompletedUpload>;
  };
  /** Iterates over every record of a paginated list, and reads pages on demand. */
  paginate<R extends Route>(
    route: R & IfPaginated<R>,
    ...call: RouteArguments<R>
  ): AsyncGenerator<RouteListItem<R>, void>;
  /** Iterates over new events, each once and in order; reconnects automatically. */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void>;
  /** Sends one request unchanged: no validation, no retries, no error for any status. */
  request(request: RawRequest): Promise<RawResponse>;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type UntypedCall<T> = (route: Route, input?: AnyInput, options?: CallOptions) => Promise<T>;

const optionNames: Readonly<Record<keyof ClientOptions, true>> = {
  url: true,
  apiKey: true,
  timeoutMs: true,
  retries: true,
  onResponse: true,
  fetch: true,
  sleep: true,
  random: true,
  uuid: true,
};

/** JavaScript does not check property names: a misspelt `apikey` would send no key. */
function assertKnownOptions(options: ClientOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(optionNames, name));
  if (unknown === undefined) return;
  const known = Object.keys(optionNames);
  const suggestion = known.find((name) => name.toLowerCase() === unknown.toLowerCase());
  throw new TypeError(
    `createClient has no option ${unknown}: ` +
      (suggestion === undefined ? `the options are ${known.join(', ')}.` : `use ${suggestion}.`),
  );
}

/**
 * Creates a client whose methods are the routes of the contract by area and verb. Throws a
 * TypeError for an invalid URL and for an unknown option.
 */
export function createClient(options: ClientOptions = {}): Client {
  assertKnownOptions(options);
  const transport: TransportOptions = {
    baseUrl: normalizeBaseUrl(options.url ?? 'http://127.0.0.1:7077'),
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? 40_000,
    retries: options.retries ?? 3,
    onResponse: options.onResponse,
    runtime: {
      fetch: options.fetch ?? defaultClientRuntime.fetch,
      sleep: options.sleep ?? defaultClientRuntime.sleep,
      random: options.random ?? defaultClientRuntime.random,
      uuid: options.uuid ?? defaultClientRuntime.uuid,
    },
  };
  const raw: UntypedCall<RawResponse> = (route, input = {}, callOptions = {}) =>
    callRoute(transport, route, input, callOptions);
  const call: UntypedCall<unknown> = async (...args) => (await raw(...args)).body;
  const areas = mapRoutes(
    (route) => (input?: AnyInput, callOptions?: CallOptions) => call(route, input, callOptions),
  );
  const caller = { call, raw } as RouteCaller;
  const memories = {
    ...areas.memories,
    upload: (file: FileUpload, callOptions?: CallOptions) =>
      uploadFile(caller, transport.runtime.uuid(), file, callOptions),
    uploadInParts: (file: PartsUpload, partsOptions?: UploadInPartsOptions) =>
      uploadInParts(transport, caller, file, partsOptions),
  };
  // The loop over the routes builds exactly what `Client` declares.
  return {
    ...areas,
    memories,
    ...caller,
    paginate: (route: Route, input: AnyInput = {}, callOptions: CallOptions = {}) =>
      paginate(
        async (position) => {
          const query = { ...input.query, ...position };
          return (await call(route, { ...input, query }, callOptions)) as Page;
        },
        Number(input.query?.offset ?? 0),
      ),
    follow: (followOptions?: FollowOptions) => followEvents(transport, followOptions),
    async request(request: RawRequest) {
      const response = await sendRequest(transport, prepareRequest(transport, request));
      transport.onResponse?.(response, request);
      return response;
    },
  } as Client;
}

/** Maps each route of the contract, by area and verb. */
const mapRoutes = <T>(make: (route: Route) => T): Record<string, Record<string, T>> =>
  mapValues(routes, (verbs) => mapValues<Route, T>(verbs, make));

const mapValues = <V, T>(record: Readonly<Record<string, V>>, make: (value: V) => T) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value)]));

async function callRoute(
  transport: TransportOptions,
  route: Route,
  input: AnyInput,
  options: CallOptions,
): Promise<RawResponse> {
  const { uuid } = transport.runtime;
  const key = options.idempotencyKey ?? (route.idempotent ? uuid() : undefined);
  const prepared = prepareRequest(transport, {
    method: route.method,
    path: fillPathParams(route.path, input.params ?? {}),
    query: input.query,
    body: input.body,
    signal: options.signal,
    timeoutMs: options.timeoutMs,
    unread: route.responseType !== undefined,
    headers: {
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(route.requestType && { 'content-type': route.requestType.type }),
      ...route.fixedHeaders,
      ...input.headers,
      ...options.headers,
    },
  });
  const response = await sendWithRetry(
    transport,
    prepared,
    retryPolicyFor(route, prepared.init.headers),
  );
  if (isExpectedResponse(route, response)) return response;
  throw new MnemeError(response);
}

/**
 * PUT, PATCH and DELETE of this contract are idempotent; a POST is idempotent if it only reads or
 * has an Idempotency-Key. With If-Match or Upload-Offset, a retry would return 412 or 409 and hide
 * that the first attempt took effect.
 */
function retryPolicyFor(route: Route, requestHeaders: RequestInit['headers']): RetryPolicy {
  const headers = new Headers(requestHeaders);
  const reads = route.method === 'GET' || route.access.endsWith(':read');
  const repeatable = reads || route.method !== 'POST' || headers.has('idempotency-key');
  const isConditional = headers.has('if-match') || headers.has('upload-offset');
  return {
    afterConnectionLoss: repeatable && !isConditional,
    afterServerError: reads,
    isExpectedResponse: (response) => isExpectedResponse(route, response),
  };
}

/**
 * A success of the declared shape, or another status that the route declares, such as 503 of
 * health.
 */
function isExpectedResponse(route: Route, { status, body }: RawResponse): boolean {
  const schema = route.responses[status];
  if (route.responseType !== undefined) return status === 304 || (status >= 200 && status < 300);
  if (route.formats && status === 200 && typeof body === 'string') return true;
  if (status < 200 || status > 299) return schema?.safeParse(body).success ?? false;
  const isJson = typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
  return schema ? isJson : true;
}
