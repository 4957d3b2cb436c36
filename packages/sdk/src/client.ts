import { type Memory, type Route, routes } from '@mneme/contract';
import type {
  Arguments,
  CallOptions,
  CallResult,
  IfPaginated,
  Item,
  RouteCaller,
} from './calls.ts';
import { MnemeError } from './errors.ts';
import { type FollowedEvent, type FollowOptions, follow } from './follow.ts';
import { defaultRuntime, type Runtime } from './kernel.ts';
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
  type PartsOptions,
  type PartsUpload,
  upload,
  uploadInParts,
} from './upload.ts';
import { fillPath, normalizeBaseUrl } from './url.ts';

export interface ClientOptions extends Partial<Runtime> {
  /** Where the service is, with or without /v1; http://127.0.0.1:7077 unless told. */
  readonly url?: string;
  readonly apiKey?: string | undefined;
  /** Patience for one attempt, 40 s unless told: an answer may wait 30 s for what it asks for. */
  readonly timeoutMs?: number;
  /** Attempts after the first, 3 unless told. */
  readonly retries?: number;
  /** Sees every answer, also those that are tried again, before anything is made of it. */
  readonly onResponse?: (answer: RawResponse, request: RawRequest) => void;
}

/** What has no end has no answer to wait for. */
type VerbsWithResponse<A> = {
  [V in keyof A]: A[V] extends { readonly eventStream: string } ? never : V;
}[keyof A];

type Areas = {
  readonly [A in keyof typeof routes]: {
    readonly [V in VerbsWithResponse<(typeof routes)[A]>]: (typeof routes)[A][V] extends Route
      ? (...call: Arguments<(typeof routes)[A][V]>) => Promise<CallResult<(typeof routes)[A][V]>>
      : never;
  };
};

export interface Client extends Areas, RouteCaller {
  readonly memories: Areas['memories'] & {
    /** Stores a file: text, audio or video, of which its bytes tell what it is. */
    upload(file: FileUpload, options?: CallOptions): Promise<Memory>;
    /** The same in parts, which goes on where a connection broke. */
    uploadInParts(file: PartsUpload, options?: PartsOptions): Promise<CompletedUpload>;
  };
  /** Every record of a list by cursor or offset, page after page as they are needed. */
  paginate<R extends Route>(
    route: R & IfPaginated<R>,
    ...call: Arguments<R>
  ): AsyncGenerator<Item<R>, void>;
  /** Events as they happen, each once and in order, over as many connections as it takes. */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void>;
  /** One exchange as it is: nothing is checked, retried or thrown for its status. */
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

/** JavaScript does not check the names: a misspelt `apikey` would be no key at all. */
function assertKnownOptions(options: ClientOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(optionNames, name));
  if (unknown === undefined) return;
  const known = Object.keys(optionNames);
  const meant = known.find((name) => name.toLowerCase() === unknown.toLowerCase());
  throw new TypeError(
    `createClient has no option ${unknown}: ` +
      (meant === undefined ? `the options are ${known.join(', ')}.` : `use ${meant}.`),
  );
}

/**
 * A client of the service; its methods are the contract's routes by area and verb. Throws a
 * TypeError for a URL that is not valid, and for an option that does not exist.
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
      fetch: options.fetch ?? defaultRuntime.fetch,
      sleep: options.sleep ?? defaultRuntime.sleep,
      random: options.random ?? defaultRuntime.random,
      uuid: options.uuid ?? defaultRuntime.uuid,
    },
  };
  const raw: UntypedCall<RawResponse> = (route, input = {}, callOptions = {}) =>
    callRoute(transport, route, input, callOptions);
  const call: UntypedCall<unknown> = async (...given) => (await raw(...given)).body;
  const areas = mapRoutes(
    (route) => (input?: AnyInput, callOptions?: CallOptions) => call(route, input, callOptions),
  );
  const caller = { call, raw } as RouteCaller;
  const memories = {
    ...areas.memories,
    upload: (file: FileUpload, callOptions?: CallOptions) =>
      upload(caller, transport.runtime.uuid(), file, callOptions),
    uploadInParts: (file: PartsUpload, partsOptions?: PartsOptions) =>
      uploadInParts(transport, caller, file, partsOptions),
  };
  // The types promise just what the loop over the routes makes.
  return {
    ...areas,
    memories,
    ...caller,
    paginate: (route: Route, input: AnyInput = {}, callOptions: CallOptions = {}) =>
      paginate(
        async (place) => {
          const query = { ...input.query, ...place };
          return (await call(route, { ...input, query }, callOptions)) as Page;
        },
        Number(input.query?.offset ?? 0),
      ),
    follow: (given?: FollowOptions) => follow(transport, given),
    async request(request: RawRequest) {
      const answer = await sendRequest(transport, prepareRequest(transport, request));
      transport.onResponse?.(answer, request);
      return answer;
    },
  } as Client;
}

/** The routes table with something made of each route, by area and verb. */
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
    path: fillPath(route.path, input.params ?? {}),
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
  const answer = await sendWithRetry(
    transport,
    prepared,
    retryPolicyFor(route, prepared.init.headers),
  );
  if (isExpectedResponse(route, answer)) return answer;
  throw new MnemeError(answer);
}

/**
 * PUT, PATCH and DELETE of this contract set or remove, so that twice is as good as once; a POST
 * is when it only reads or carries an Idempotency-Key. Behind If-Match or Upload-Offset a second
 * attempt would answer 412 or 409 and hide that the first one took effect.
 */
function retryPolicyFor(route: Route, sent: RequestInit['headers']): RetryPolicy {
  const headers = new Headers(sent);
  const reads = route.method === 'GET' || route.access.endsWith(':read');
  const repeatable = reads || route.method !== 'POST' || headers.has('idempotency-key');
  const isConditional = headers.has('if-match') || headers.has('upload-offset');
  return {
    afterConnectionLoss: repeatable && !isConditional,
    afterServerError: reads,
    isExpectedResponse: (answer) => isExpectedResponse(route, answer),
  };
}

/** A success in the shape of one, or another status that the route declares, as health's 503. */
function isExpectedResponse(route: Route, { status, body }: RawResponse): boolean {
  const schema = route.responses[status];
  if (route.responseType !== undefined) return status === 304 || (status >= 200 && status < 300);
  if (route.formats && status === 200 && typeof body === 'string') return true;
  if (status < 200 || status > 299) return schema?.safeParse(body).success ?? false;
  const isJson = typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
  return schema ? isJson : true;
}
