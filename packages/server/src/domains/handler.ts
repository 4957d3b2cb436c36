import type { FieldError, ResponseBody, Route, ValidatedRequest } from '@mneme/contract';
import type { z } from 'zod';
import type { Ctx } from './ctx.ts';

/** What a handler sees beyond the contract's fields. */
export interface RequestMeta {
  /** The ETags of If-Match without quotes, null where the header is missing. */
  readonly ifMatch: readonly string[] | null;
  /** Where a stream that broke is to go on. */
  readonly lastEventId: string | null;
  /** Whoever asks would rather be answered at once than wait: `Prefer: respond-async`. */
  readonly prefersAsync: boolean;
  /** The body of a route that takes bytes; of any other, and of a request without one, empty. */
  readonly bodyStream: AsyncIterable<Uint8Array>;
  /** How many bytes the body has, where that was told before it. */
  readonly contentLength: number | null;
}

/** The file of a form, while it arrives. */
export interface FormFile {
  /** As it was sent, without folders; it says nothing of what the file is. */
  readonly filename: string | null;
  /** Throws where the form breaks off. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A form that came in place of JSON. */
export interface Form<F> {
  /**
   * Hands the file to `take`; resolves with the checked fields when all of the form is here.
   * Rejects with what `take` threw, 422 validation_error, 400 invalid_request; `take` is over then.
   */
  read<T>(take: (file: FormFile) => Promise<T>): Promise<{ fields: F; fileResult: T }>;
}

type FormOf<R extends Route> = R extends { readonly form: infer S }
  ? Form<S extends z.ZodType ? z.output<S> : never> | null
  : null;

/** A body that is made while it is sent, so that what is large is never whole in memory. */
export interface BodyStream extends AsyncIterable<string | Uint8Array> {
  /** Aborted when the text is to be broken off: whoever asked for it does not read it. */
  readonly abortSignal?: AbortSignal;
}

export const isBodyStream = (body: unknown): body is BodyStream =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** An answer with another status than the route's first, with headers, or as a text in pieces. */
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

/** A request as it came: nothing of it is checked. */
interface RawRequest {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Faults that only the account's own data can tell. Asked where the schemas have refused the
 * request already, so that all faulty fields are told together; else the verb throws them.
 */
type FindFieldErrors = (
  ctx: Ctx,
  sent: RawRequest,
) => Promise<Readonly<Record<string, FieldError>>>;

export interface Handler {
  readonly route: Route;
  readonly run: (ctx: Ctx, request: never) => Promise<unknown>;
  readonly findFieldErrors?: FindFieldErrors;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a verb without an answer returns nothing.
type Empty<T> = undefined extends T ? T | void : T;

/** Ties a verb to its row of the contract; types keep both in step. */
export function createHandler<R extends Route>(
  route: R,
  run: (
    ctx: Ctx,
    request: ValidatedRequest<R> & RequestMeta & { readonly form: FormOf<R> },
  ) => Promise<Empty<ResponseBody<R>> | Reply<ResponseBody<R>>>,
  findFaults?: FindFieldErrors,
): Handler {
  return { route, run, ...(findFaults ? { findFieldErrors: findFaults } : {}) };
}
