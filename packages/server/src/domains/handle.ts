import type { Answer, Checked, FieldFault, Route } from '@mneme/contract';
import type { z } from 'zod';
import type { Ctx } from './ctx.ts';

/** What a handler sees beyond the contract's fields. */
export interface Conditions {
  /** The ETags of If-Match without quotes, null where the header is missing. */
  readonly ifMatch: readonly string[] | null;
  /** Where a stream that broke is to go on. */
  readonly lastEventId: string | null;
  /** Whoever asks would rather be answered at once than wait: `Prefer: respond-async`. */
  readonly prefersAsync: boolean;
  /** The body of a route that takes bytes; of any other, and of a request without one, empty. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** How many bytes the body has, where that was told before it. */
  readonly bytesToCome: number | null;
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
  read<T>(take: (file: FormFile) => Promise<T>): Promise<{ fields: F; taken: T }>;
}

type FormOf<R extends Route> = R extends { readonly form: infer S }
  ? Form<S extends z.ZodType ? z.output<S> : never> | null
  : null;

/** A body that is made while it is sent, so that what is large is never whole in memory. */
export interface Pieces extends AsyncIterable<string | Uint8Array> {
  /** Aborted when the text is to be broken off: whoever asked for it does not read it. */
  readonly broken?: AbortSignal;
}

export const isPieces = (body: unknown): body is Pieces =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** An answer with another status than the route's first, with headers, or as a text in pieces. */
export class Reply<T> {
  readonly body: T | Pieces;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    body: T | Pieces,
    extras: { status?: number; headers?: Record<string, string> } = {},
  ) {
    this.body = body;
    this.status = extras.status;
    this.headers = extras.headers ?? {};
  }
}

/** A request as it came: nothing of it is checked. */
interface Sent {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Faults that only the account's own data can tell. Asked where the schemas have refused the
 * request already, so that all faulty fields are told together; else the verb throws them.
 */
type FindFaults = (ctx: Ctx, sent: Sent) => Promise<Readonly<Record<string, FieldFault>>>;

export interface Handler {
  readonly route: Route;
  readonly run: (ctx: Ctx, request: never) => Promise<unknown>;
  readonly findFaults?: FindFaults;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a verb without an answer returns nothing.
type Empty<T> = undefined extends T ? T | void : T;

/** Ties a verb to its row of the contract; types keep both in step. */
export function handle<R extends Route>(
  route: R,
  run: (
    ctx: Ctx,
    request: Checked<R> & Conditions & { readonly form: FormOf<R> },
  ) => Promise<Empty<Answer<R>> | Reply<Answer<R>>>,
  findFaults?: FindFaults,
): Handler {
  return { route, run, ...(findFaults ? { findFaults } : {}) };
}
