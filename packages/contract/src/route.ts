import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { EndpointLimit } from './plans.ts';
import type { Scope } from './schemas/accounts.ts';

/** What the text of memories takes, in whatever answer, event, webhook call or mail it leaves. */
export const contentScope = 'memories:read' satisfies Scope;

/** Who may call: a scope, any valid key, or everybody. */
export type Access = Scope | 'any' | 'public';

interface Example {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  /** Of those that are the route's own. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: unknown;
}

/**
 * One row of the contract. The server's binding, the OpenAPI document and the SDK's types all
 * come from it. Of several answers the lowest status with a body is the usual one; null stands for
 * an empty body.
 */
export interface Route {
  /** operationId: `<area>.<verb>`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below /v1, parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** What it answers or sends has the text of memories: the key needs `memories:read` as well. */
  readonly requiresContentScope?: boolean;
  /** A health check: cheap, without a body, and answered even when the server is at capacity. */
  readonly probe?: boolean;
  /** The limit of its own that the route counts toward, beside the plan's. */
  readonly endpointLimit?: EndpointLimit;
  readonly params?: z.ZodType;
  /** The code for a path id that is no id at all, the same as for one that names nothing. */
  readonly notFound?: ErrorCode;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Request headers of its own, names in lower case. */
  readonly headers?: z.ZodType;
  /** Headers that each request needs with this value: the SDK sends them. */
  readonly fixedHeaders?: Readonly<Record<string, string>>;
  /** Faulty headers are 400 invalid_request, as the route's protocol wants, and not 422. */
  readonly isStrictProtocol?: boolean;
  /** In place of JSON the body may be a form (multipart/form-data) of one `file` and these. */
  readonly form?: z.ZodType;
  /** The body is bytes of this media type, at most so many, and reaches the verb as a stream. */
  readonly requestType?: { readonly type: string; readonly bytesMax: number };
  /** True where a missing body means `{}`. */
  readonly bodyOptional?: boolean;
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** Other media types that a success may come in, as text. */
  readonly formats?: readonly string[];
  /** A success is a text of this media type that has no end; `answers` has what a piece holds. */
  readonly eventStream?: 'text/event-stream';
  /** A success is bytes of this media type (any: of the one they were kept with), no JSON. */
  readonly responseType?: string;
  /** Takes an Idempotency-Key: the first outcome is kept with its effect and replayed. */
  readonly idempotent?: boolean;
  /** The answer holds a secret, which is then kept for a replay only in sealed form. */
  readonly secretResponse?: boolean;
  /** Answers carry an ETag; If-None-Match on reads and If-Match on writes are honoured. */
  readonly etag?: boolean;
  /** `Prefer: respond-async` is honoured: 202 at once instead of waiting. */
  readonly supportsRespondAsync?: boolean;
  /** The body is this list, parsed and checked item by item; the plan limits its bytes. */
  readonly bulkBody?: { readonly list: string; readonly item: z.ZodType };
  /** Bytes of the body at most, where it is less than what every JSON body may have. */
  readonly bodyBytesMax?: number;
  /** Codes beyond those every route shares. */
  readonly errors: readonly ErrorCode[];
  readonly example: Example;
}

export const defineRoute = <const R extends Route>(route: R): R => route;

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;
type FieldOf<R, K extends string> = R extends { readonly [key in K]: infer S } ? S : undefined;

/** What a handler gets: checked, defaults filled in. */
export interface ValidatedRequest<R extends Route> {
  readonly params: OutputOf<FieldOf<R, 'params'>>;
  readonly query: OutputOf<FieldOf<R, 'query'>>;
  readonly body: OutputOf<FieldOf<R, 'body'>>;
  readonly headers: OutputOf<FieldOf<R, 'headers'>>;
}

/** What a client may send. */
export interface Request<R extends Route> {
  readonly params: InputOf<FieldOf<R, 'params'>>;
  readonly query: InputOf<FieldOf<R, 'query'>>;
  readonly body: InputOf<FieldOf<R, 'body'>>;
  readonly headers: InputOf<FieldOf<R, 'headers'>>;
}

type Responses<R extends Route> = R['responses'][keyof R['responses']];
/** The body of any success; undefined where it is empty. */
export type ResponseBody<R extends Route> =
  Responses<R> extends infer S ? (S extends z.ZodType ? z.output<S> : undefined) : never;
