import type { RequestInput, ResponseBody, Route } from '@mneme/contract';
import type { RawBody } from './bodies.ts';
import type { Page, PageRecord } from './paginate.ts';

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Timeout of one attempt in ms; overrides that of the client. */
  readonly timeoutMs?: number;
  /** Generated for each call of a route that accepts one, so that retries are safe. */
  readonly idempotencyKey?: string;
}

/** A binary body for a binary route; a form where the route accepts one. */
type Body<R extends Route> = R extends { readonly requestType: object }
  ? RawBody | (R extends { readonly bodyOptional: true } ? undefined : never)
  : R extends { readonly form: object }
    ? RequestInput<R>['body'] | FormData
    : RequestInput<R>['body'];
type RequestParts<R extends Route> = Omit<RequestInput<R>, 'body'> & { readonly body: Body<R> };

/** The input of a route: only parts that have a schema; optional parts can be omitted. */
export type RouteInput<R extends Route> = {
  [K in keyof RequestParts<R> as undefined extends RequestParts<R>[K]
    ? never
    : K]: RequestParts<R>[K];
} extends infer Needed
  ? { [K in keyof Needed as Record<never, never> extends Needed[K] ? never : K]: Needed[K] } & {
      [K in keyof Needed as Record<never, never> extends Needed[K] ? K : never]?: Needed[K];
    }
  : never;

export type RouteArguments<R extends Route> =
  object extends RouteInput<R>
    ? [input?: RouteInput<R>, options?: CallOptions]
    : [input: RouteInput<R>, options?: CallOptions];

/** The body of a response; for a binary route the unread `Response` of fetch. */
export type CallResult<R extends Route> = R extends { readonly responseType: string }
  ? Response
  : ResponseBody<R>;

/** A response with its status and headers, such as ETag. */
export interface FullResponse<R extends Route> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: CallResult<R>;
}

export interface RouteCaller {
  /**
   * Calls a route and returns the body of its response. Throws MnemeError for every response that
   * the route does not declare, TypeError if the connection fails or the input cannot be sent, and
   * TimeoutError after `timeoutMs`.
   */
  call<R extends Route>(route: R, ...call: RouteArguments<R>): Promise<CallResult<R>>;
  /** Like `call`, with status and headers. */
  raw<R extends Route>(route: R, ...call: RouteArguments<R>): Promise<FullResponse<R>>;
}

/** One record of the list that a route returns. */
export type RouteListItem<R extends Route> = PageRecord<ResponseBody<R>>;
type QueryOf<R extends Route> = NonNullable<RequestInput<R>['query']>;
/** `unknown` for a route whose list is paginated by cursor or offset, else `never`. */
export type IfPaginated<R extends Route> = [RouteListItem<R>] extends [never]
  ? never
  : 'cursor' extends keyof QueryOf<R>
    ? unknown
    : 'offset' extends keyof QueryOf<R>
      ? ResponseBody<R> extends Page
        ? unknown
        : never
      : never;
