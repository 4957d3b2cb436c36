import type { Route } from '@mneme/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { runInSpan, type Span, tracing } from '../kernel/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: traces are off, or this request is not recorded. */
    span: Span | null;
  }
}

/** Methods of RFC 9110 and PATCH; others are `_OTHER`, so that clients cannot invent names. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Records a span of each request, by OpenTelemetry's conventions for HTTP servers, and continues
 * the trace of its `traceparent`. Probes have none, and event streams, which last as long as their
 * client. The attribute url.path is left out because paths have ids and names of tenants.
 */
export function traceRequests(server: FastifyInstance, app: App): void {
  server.decorateRequest('span', null);
  const { tracer } = tracing.of(app);
  if (tracer === null) return;
  server.addHook('onRequest', (request, reply, done) => {
    const { route } = request.routeOptions.config as { route?: Route };
    if (route?.probe || route?.id === 'operations.metrics' || route?.eventStream) return done();
    const template = request.is404 ? undefined : request.routeOptions.url;
    const method = knownMethods.has(request.method) ? request.method : '_OTHER';
    const verb = method === '_OTHER' ? 'HTTP' : method;
    const span = tracer.startTrace(
      template === undefined ? verb : `${verb} ${template}`,
      {
        kind: 'server',
        attributes: {
          'http.request.method': method,
          'url.scheme': request.protocol,
          'network.protocol.version': request.raw.httpVersion,
          ...(template === undefined ? {} : { 'http.route': template }),
        },
      },
      request.headers,
    );
    // Of a request that is not sampled, nothing is recorded.
    if (!span.isRecording) return done();
    request.span = span;
    const { raw } = reply;
    raw.once('close', () => {
      span.setAttributes({ 'http.response.status_code': raw.statusCode });
      if (raw.statusCode >= 500) span.fail(String(raw.statusCode));
      else if (!raw.writableFinished) span.fail('client_disconnected');
      span.end();
    });
    runInSpan(span, done);
  });
  // Reading a body leaves the context of the first hook.
  server.addHook('preValidation', (request, _reply, done) => runInTrace(request, done));
}

/** Runs `fn` within the span of a request. */
export const runInTrace = <T>({ span }: FastifyRequest, fn: () => T): T =>
  runInSpan(span ?? undefined, fn);
