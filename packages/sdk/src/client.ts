import { type Answer, type Request, type Route, routes } from '@mneme/contract';
import { MnemeError } from './errors.ts';
import { type Surroundings, surroundings } from './kernel.ts';
import {
  exchange,
  exchangeWithRetry,
  type RawAnswer,
  type RawRequest,
  type TransportOptions,
} from './transport.ts';

export interface ClientOptions extends Partial<Surroundings> {
  /** Where the service is, without /v1; http://127.0.0.1:7077 unless told. */
  readonly url?: string;
  readonly apiKey?: string;
  /** Patience for one attempt, 30 s unless told. */
  readonly timeoutMs?: number;
  /** Attempts after the first, 3 unless told. */
  readonly retries?: number;
}

/** Leaves out what a route does not take, and makes optional what may be left out. */
type Input<R extends Route> = {
  [K in keyof Request<R> as undefined extends Request<R>[K] ? never : K]: Request<R>[K];
} extends infer Needed
  ? { [K in keyof Needed as object extends Needed[K] ? never : K]: Needed[K] } & {
      [K in keyof Needed as object extends Needed[K] ? K : never]?: Needed[K];
    }
  : never;

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Made anew for each call of a route that takes one, so that its retries are safe. */
  readonly idempotencyKey?: string;
}

type Method<R extends Route> =
  object extends Input<R>
    ? (input?: Input<R>, options?: CallOptions) => Promise<Answer<R>>
    : (input: Input<R>, options?: CallOptions) => Promise<Answer<R>>;

type Areas = {
  readonly [A in keyof typeof routes]: {
    readonly [V in keyof (typeof routes)[A]]: (typeof routes)[A][V] extends Route
      ? Method<(typeof routes)[A][V]>
      : never;
  };
};

export interface Client extends Areas {
  /** Calls a row of the contract; throws MnemeError for every answer that is no success. */
  call<R extends Route>(route: R, input: Input<R>, options?: CallOptions): Promise<Answer<R>>;
  /** One exchange as it is: nothing is checked, retried or thrown for its status. */
  request(request: RawRequest): Promise<RawAnswer>;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A client of the service; its methods are the contract's routes by area and verb. */
export function createClient(options: ClientOptions = {}): Client {
  const transport: TransportOptions = {
    url: options.url ?? 'http://127.0.0.1:7077',
    apiKey: options.apiKey,
    timeoutMs: options.timeoutMs ?? 30_000,
    retries: options.retries ?? 3,
    surroundings: {
      fetch: options.fetch ?? surroundings.fetch,
      sleep: options.sleep ?? surroundings.sleep,
      random: options.random ?? surroundings.random,
      uuid: options.uuid ?? surroundings.uuid,
    },
  };
  const call = (route: Route, input: AnyInput = {}, callOptions: CallOptions = {}) =>
    callRoute(transport, route, input, callOptions);
  const areas = Object.fromEntries(
    Object.entries(routes).map(([area, verbs]) => [
      area,
      Object.fromEntries(
        Object.entries(verbs).map(([verb, route]) => [
          verb,
          (input?: AnyInput, callOptions?: CallOptions) => call(route, input, callOptions),
        ]),
      ),
    ]),
  );
  // The loop above makes just the methods that the types promise.
  return { ...areas, call, request: (raw: RawRequest) => exchange(transport, raw) } as Client;
}

async function callRoute(
  transport: TransportOptions,
  route: Route,
  input: AnyInput,
  options: CallOptions,
): Promise<unknown> {
  const key = options.idempotencyKey ?? (route.idempotent ? transport.surroundings.uuid() : null);
  const request: RawRequest = {
    method: route.method,
    path: fillPath(route.path, input.params ?? {}),
    query: input.query,
    body: input.body,
    signal: options.signal,
    headers: { ...(key === null ? {} : { 'idempotency-key': key }), ...options.headers },
  };
  const afterLoss = route.method !== 'POST' || key !== null;
  const answer = await exchangeWithRetry(transport, request, { afterLoss });
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  throw new MnemeError(answer);
}

const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
