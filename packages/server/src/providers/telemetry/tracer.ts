import {
  type Context,
  defaultTextMapGetter,
  type Link,
  type SpanOptions as OtelSpanOptions,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type {
  Span,
  SpanAttributes,
  SpanOptions,
  TraceHeaders,
  Tracer,
} from '../../kernel/tracing.ts';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

const propagator = new W3CTraceContextPropagator();

const extract = (headers: TraceHeaders): Context =>
  propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);

/** No link if the text is not a `traceparent`. */
function toLinks(traceparent: string): Link[] {
  const context = trace.getSpanContext(extract({ traceparent }));
  return context === undefined ? [] : [{ context }];
}

/** A span of the SDK. */
export class OtelSpan implements Span {
  readonly #tracer: OtelTracer;
  readonly #span: SdkSpan;
  readonly #parent: Context;
  #context: Context | undefined;

  private constructor(tracer: OtelTracer, span: SdkSpan, parent: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#parent = parent;
  }

  /** Of children and log records. Most spans have neither, and a context is a copy of a map. */
  get context(): Context {
    this.#context ??= trace.setSpan(this.#parent, this.#span);
    return this.#context;
  }

  static start(
    tracer: OtelTracer,
    name: string,
    { kind = 'internal', attributes, startMs, link }: SpanOptions,
    parent: Context,
  ): OtelSpan {
    // The SDK copies what it keeps.
    const options: OtelSpanOptions = { kind: kinds[kind] };
    if (attributes !== undefined) options.attributes = attributes;
    if (link !== undefined) options.links = toLinks(link);
    if (startMs !== undefined) options.startTime = startMs;
    return new OtelSpan(tracer, tracer.startSpan(name, options, parent), parent);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get spanId(): string {
    return this.#span.spanContext().spanId;
  }

  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    const flags = (traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
    return `00-${traceId}-${spanId}-${flags}`;
  }

  setAttributes(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(errorType: string): void {
    this.#span.setAttribute('error.type', errorType);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }

  startChild(name: string, options: SpanOptions = {}): Span {
    return OtelSpan.start(this.#tracer, name, options, this.context);
  }
}

export const createTracer = (tracer: OtelTracer): Tracer => ({
  startTrace(name: string, options: SpanOptions = {}, caller?: TraceHeaders) {
    const parent = caller?.traceparent === undefined ? ROOT_CONTEXT : extract(caller);
    return OtelSpan.start(tracer, name, options, parent);
  },
});
