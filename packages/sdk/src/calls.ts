import type { Request, ResponseBody, Route } from '@mneme/contract';
import type { RawBody } from './bodies.ts';
import type { Page, RecordOf } from './paginate.ts';

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Patience for one attempt, in place of the client's own. */
  readonly timeoutMs?: number;
  /** Made anew for each call of a route that takes one, so that its retries are safe. */
  readonly idempotencyKey?: string;
}

/** Bytes where the route takes them; also a form, where it takes one. */
type Body<R extends Route> = R extends { readonly requestType: object }
  ? RawBody | (R extends { readonly bodyOptional: true } ? undefined : never)
  : R extends { readonly form: object }
    ? Request<R>['body'] | FormData
    : Request<R>['body'];
type RequestParts<R extends Route> = Omit<Request<R>, 'body'> & { readonly body: Body<R> };

/** What a route takes: nothing it has no schema for, optional what may be left out. */
export type Input<R extends Route> = {
  [K in keyof RequestParts<R> as undefined extends RequestParts<R>[K]
    ? never
    : K]: RequestParts<R>[K];
} extends infer Needed
  ? { [K in keyof Needed as object extends Needed[K] ? never : K]: Needed[K] } & {
      [K in keyof Needed as object extends Needed[K] ? K : never]?: Needed[K];
    }
  : never;

export type Arguments<R extends Route> =
  object extends Input<R>
    ? [input?: Input<R>, options?: CallOptions]
    : [input: Input<R>, options?: CallOptions];

/** The body of an answer; where the route sends bytes fetch's own Response, not yet read. */
export type CallResult<R extends Route> = R extends { readonly responseType: string }
  ? Response
  : ResponseBody<R>;

/** An answer with its status and headers, such as ETag. */
export interface FullResponse<R extends Route> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: CallResult<R>;
}

export interface RouteCaller {
  /**
   * Calls a row of the contract and gives its body. Throws MnemeError for every answer that the
   * route does not declare, TypeError where there is no connection or the input cannot be sent,
   * TimeoutError where the answer is late.
   */
  call<R extends Route>(route: R, ...call: Arguments<R>): Promise<CallResult<R>>;
  /** The same, with status and headers. */
  raw<R extends Route>(route: R, ...call: Arguments<R>): Promise<FullResponse<R>>;
}

/** A record of a route's list. */
export type Item<R extends Route> = RecordOf<ResponseBody<R>>;
type QueryOf<R extends Route> = NonNullable<Request<R>['query']>;
/** A list that is read page after page: by cursor, or by offset. */
export type IfPaginated<R extends Route> = [Item<R>] extends [never]
  ? never
  : 'cursor' extends keyof QueryOf<R>
    ? unknown
    : 'offset' extends keyof QueryOf<R>
      ? ResponseBody<R> extends Page
        ? unknown
        : never
      : never;
