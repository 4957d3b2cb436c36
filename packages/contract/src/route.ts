import type { z } from 'zod';
import { completeExample } from './complete-response.ts';
import type { ErrorCode } from './errors.ts';
import type { EndpointLimitName } from './plans.ts';
import type { Scope } from './schemas/accounts.ts';

/**
 * The scope that a key needs to receive memory content in a response, event, webhook call or email.
 */
export const contentScope = 'memories:read' satisfies Scope;

/** Required access: a scope, any valid key, or none. */
export type RouteAccess = Scope | 'any' | 'public';

interface Example {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  /** Only headers that the route itself declares. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: unknown;
}

/**
 * One row of the contract. The server binding, the OpenAPI document and the SDK types are derived
 * from it. The primary response is the lowest status with a body; a null response has an empty
 * body.
 */
export interface Route {
  /** The operationId, as `<area>.<verb>`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path below /v1, with parameters as `:name`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The route with the same effect that clients should call instead: this one is deprecated. */
  readonly replacedBy?: string;
  readonly access: RouteAccess;
  /** The route returns or sends memory content: the key also needs `memories:read`. */
  readonly requiresContentScope?: boolean;
  /** A health check: cheap, without a body, and served even when the server is at capacity. */
  readonly probe?: boolean;
  /** A rate limit of this route, in addition to the limits of the plan. */
  readonly endpointLimit?: EndpointLimitName;
  readonly params?: z.ZodType;
  /** The 404 code for an id in the path, both malformed and unknown. */
  readonly notFound?: ErrorCode;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Request headers of the route, with names in lower case. */
  readonly headers?: z.ZodType;
  /** Headers that every request must send with these values; the SDK adds them. */
  readonly fixedHeaders?: Readonly<Record<string, string>>;
  /**
   * Invalid headers return 400 invalid_request instead of 422, as the protocol of the route
   * requires.
   */
  readonly isStrictProtocol?: boolean;
  /** Fields of a multipart/form-data body with one `file`, accepted instead of JSON. */
  readonly form?: z.ZodType;
  /**
   * The body is binary, of this media type and at most `bytesMax` bytes; the handler receives a
   * stream. Clients send `type`; requests with one of `otherTypes` are accepted as well.
   */
  readonly requestType?: {
    readonly type: string;
    readonly otherTypes?: readonly string[];
    readonly bytesMax: number;
  };
  /** A missing body means `{}`. */
  readonly bodyOptional?: boolean;
  /** Body schema by success status, or by another declared status; null for an empty body. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** Other media types of a success, sent as text. */
  readonly formats?: readonly string[];
  /** Another, binary media type of a success, for clients that accept it. */
  readonly binaryFormat?: 'application/octet-stream';
  /** A success is an endless text of this media type; `responses` describes one message. */
  readonly eventStream?: 'text/event-stream';
  /** A success is binary, of this media type; a wildcard means the type of the stored bytes. */
  readonly responseType?: string;
  /**
   * Accepts an Idempotency-Key: the first outcome is stored in the same transaction and replayed.
   */
  readonly idempotent?: boolean;
  /** The response contains a secret; the copy that is stored for replay is encrypted. */
  readonly secretResponse?: boolean;
  /** Responses carry an ETag; reads honour If-None-Match and writes honour If-Match. */
  readonly etag?: boolean;
  /** Honours `Prefer: respond-async`: responds with 202 immediately instead of waiting. */
  readonly supportsRespondAsync?: boolean;
  /** The body is this list, parsed and validated item by item; the plan limits its bytes. */
  readonly bulkBody?: { readonly list: string; readonly item: z.ZodType };
  /** Maximum bytes of the body, where lower than the limit of every JSON body. */
  readonly bodyBytesMax?: number;
  /** Error codes in addition to those that all routes share; see `errorCodesOf`. */
  readonly errors: readonly ErrorCode[];
  readonly example: Example;
}

/**
 * Returns `route` with its example as the server responds, including canonical names and the
 * envelope of a list; keeps the literal types of its fields.
 */
export function defineRoute<const R extends Route>(route: R): R {
  const { example, query } = route;
  let completed: { readonly response: unknown } | undefined;
  return {
    ...route,
    example: {
      ...example,
      get response() {
        const sent = query?.safeParse(example.query ?? {}).data ?? example.body;
        completed ??= { response: completeExample(route, example.response, sent) };
        return completed.response;
      },
    },
  };
}

/** The media types of binary bodies that a route accepts, the one that clients send first. */
export const requestTypesOf = ({ requestType }: Pick<Route, 'requestType'>): readonly string[] =>
  requestType ? [requestType.type, ...(requestType.otherTypes ?? [])] : [];

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;
type FieldOf<R, K extends string> = R extends { readonly [key in K]: infer S } ? S : undefined;

/** The input of a handler: validated, with defaults applied. */
export interface ValidatedRequest<R extends Route> {
  readonly params: OutputOf<FieldOf<R, 'params'>>;
  readonly query: OutputOf<FieldOf<R, 'query'>>;
  readonly body: OutputOf<FieldOf<R, 'body'>>;
  readonly headers: OutputOf<FieldOf<R, 'headers'>>;
}

/** The input of a client, before validation and defaults. */
export interface RequestInput<R extends Route> {
  readonly params: InputOf<FieldOf<R, 'params'>>;
  readonly query: InputOf<FieldOf<R, 'query'>>;
  readonly body: InputOf<FieldOf<R, 'body'>>;
  readonly headers: InputOf<FieldOf<R, 'headers'>>;
}

type Responses<R extends Route> = R['responses'][keyof R['responses']];
/** The body of any declared response; undefined if it is empty. */
export type ResponseBody<R extends Route> =
  Responses<R> extends infer S ? (S extends z.ZodType ? z.output<S> : undefined) : never;
