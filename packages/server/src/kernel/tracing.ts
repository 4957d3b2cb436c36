import { AsyncLocalStorage } from 'node:async_hooks';
import { type AppLifetime, perApp } from './per-app.ts';

/** `server`, `client` and `consumer` cross a process boundary; see OpenTelemetry's SpanKind. */
type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  /** Never texts, and no ids of accounts, users or spaces. */
  readonly attributes?: SpanAttributes;
  /** Milliseconds since the epoch; default: now. */
  readonly startMs?: number;
  /** The `traceparent` of a span of another trace that caused this one. */
  readonly link?: string | undefined;
}

/** One recorded operation of a trace. */
export interface Span {
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  /** The value of a `traceparent` header, for calls to others. */
  readonly traceparent: string;
  /** Whether it is sampled and has not ended. */
  readonly isRecording: boolean;
  setAttributes(attributes: SpanAttributes): void;
  /** Marks the operation as failed. `errorType` has few values: a code, a status or a class. */
  fail(errorType: string): void;
  end(): void;
  startChild(name: string, options?: SpanOptions): Span;
}

/** Headers of a caller that may name its trace. */
export type TraceHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Starts traces. */
export interface Tracer {
  /** @param caller continues the trace of these headers, if they name one */
  startTrace(name: string, options?: SpanOptions, caller?: TraceHeaders): Span;
}

/** The tracer of an app; null: traces are off. */
export const tracing = perApp<AppLifetime, { tracer: Tracer | null }>(() => ({ tracer: null }));

const active = new AsyncLocalStorage<Span>();

/**
 * The span that the running code belongs to; undefined outside of a trace. Work that outlives its
 * request is outside of it.
 */
export function activeSpan(): Span | undefined {
  const span = active.getStore();
  return span?.isRecording ? span : undefined;
}

/** Runs `fn` so that it and what it starts belong to the span. */
export const runInSpan = <T>(span: Span | undefined, fn: () => T): T =>
  span === undefined ? fn() : active.run(span, fn);

/** Runs `fn` outside of any trace: work for everybody that a request happens to start. */
export const runOutsideTrace = <T>(fn: () => T): T => active.exit(fn);

/**
 * Runs `fn` in a new span of the current trace, which ends with it; outside of a trace, `fn` alone.
 * An error marks the span.
 */
export function withSpan<T>(
  name: string,
  options: SpanOptions,
  fn: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = activeSpan();
  return parent === undefined ? fn(undefined) : recordSpan(parent.startChild(name, options), fn);
}

/** Like `withSpan`, but starts a trace of its own: work that no request waits for. */
export function withTrace<T>(
  app: AppLifetime,
  name: string,
  options: SpanOptions,
  fn: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const { tracer } = tracing.of(app);
  if (tracer === null) return fn(undefined);
  const span = tracer.startTrace(name, options);
  return span.isRecording ? recordSpan(span, fn) : runOutsideTrace(() => fn(undefined));
}

async function recordSpan<T>(span: Span, fn: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await active.run(span, () => fn(span));
  } catch (error) {
    span.fail(errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The code of an error of the API, otherwise its class; never its message. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : '_OTHER';
}
