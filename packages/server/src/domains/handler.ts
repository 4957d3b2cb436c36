import type { FieldError, ResponseBody, Route, ValidatedRequest } from '@mneme/contract';
import type { z } from 'zod';
import type { Ctx } from './ctx.ts';

/** Request data that a handler receives in addition to the contract's fields. */
export interface RequestMeta {
  /** The ETags of If-Match without quotes, null where the header is missing. */
  readonly ifMatch: readonly string[] | null;
  /** Last-Event-ID: the position after which a reconnecting stream continues. */
  readonly lastEventId: string | null;
  /** `Prefer: respond-async`: the client prefers an immediate response to waiting. */
  readonly prefersAsync: boolean;
  /** `Accept` lists the binary format of the route. */
  readonly acceptsBinary: boolean;
  /** The body of a route that accepts bytes; empty for other routes and without a body. */
  readonly bodyStream: AsyncIterable<Uint8Array>;
  /** Content-Length in bytes, if the request has one. */
  readonly contentLength: number | null;
}

/** The file of a multipart form, while it is received. */
export interface MultipartFile {
  /** As sent, without folders; it does not prove the type of the file. */
  readonly filename: string | null;
  /** Throws if the form is incomplete. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A multipart form, sent instead of JSON. */
export interface MultipartForm<F> {
  /**
   * Passes the file to `onFile`; resolves with the validated fields after the whole form is read.
   * Rejects with errors of `onFile`, 422 validation_error or 400 invalid_request, after `onFile`.
   */
  read<T>(onFile: (file: MultipartFile) => Promise<T>): Promise<{ fields: F; fileResult: T }>;
}

type FormOf<R extends Route> = R extends { readonly form: infer S extends z.ZodType }
  ? MultipartForm<z.output<S>>
  : never;

/** A body produced while it is sent, so that a large body is never fully in memory. */
export interface BodyStream extends AsyncIterable<string | Uint8Array> {
  /** Aborted when the response must be cut off because the client does not read it. */
  readonly abortSignal?: AbortSignal;
}

export const isBodyStream = (body: unknown): body is BodyStream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** A response with another status than the route's first, with headers, or with a streamed body. */
export class Reply<T> {
  readonly body: T | BodyStream;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    body: T | BodyStream,
    extras: { status?: number; headers?: Record<string, string> } = {},
  ) {
    this.body = body;
    this.status = extras.status;
    this.headers = extras.headers ?? {};
  }
}

/** A request before validation. */
interface RawRequest {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Finds errors that depend on the account's data. Called when the schemas have already rejected
 * the request, so that one response lists all invalid fields; otherwise the verb throws them.
 */
type FindFieldErrors = (
  ctx: Ctx,
  sent: RawRequest,
) => Promise<Readonly<Record<string, FieldError>>>;

export interface Handler {
  readonly route: Route;
  /** Whether it handles requests with a multipart form; another handler handles the others. */
  readonly handlesForm: boolean;
  readonly run: (ctx: Ctx, request: never) => Promise<unknown>;
  readonly findFieldErrors?: FindFieldErrors;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a verb without a response returns nothing.
type Empty<T> = undefined extends T ? T | void : T;

/** Connects a verb to its route in the contract; the types keep them consistent. */
export function createHandler<R extends Route>(
  route: R,
  run: (
    ctx: Ctx,
    request: ValidatedRequest<R> & RequestMeta,
  ) => Promise<Empty<ResponseBody<R>> | Reply<ResponseBody<R>>>,
  findFieldErrors?: FindFieldErrors,
): Handler {
  return { route, handlesForm: false, run, ...(findFieldErrors ? { findFieldErrors } : {}) };
}

/** Like `createHandler`, for requests with a multipart form instead of JSON. */
export const createFormHandler = <R extends Route>(
  route: R,
  run: (
    ctx: Ctx,
    request: Omit<ValidatedRequest<R>, 'body'> & RequestMeta & { readonly form: FormOf<R> },
  ) => Promise<Empty<ResponseBody<R>> | Reply<ResponseBody<R>>>,
): Handler => ({ route, handlesForm: true, run });
