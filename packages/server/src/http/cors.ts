import type { FastifyInstance, FastifyRequest } from 'fastify';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-Range',
  'If-None-Match',
  'Last-Event-ID',
  'Range',
  'Tus-Resumable',
  'Upload-Checksum',
  'Upload-Concat',
  'Upload-Defer-Length',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'X-API-Key',
  'X-Confirm',
  'X-Error-Format',
  'X-HTTP-Method-Override',
  'X-Request-Id',
].join(', ');
const exposedHeaders = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Mneme-Duplicate',
  'Retry-After',
  'Tus-Checksum-Algorithm',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Concat',
  'Upload-Defer-Length',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'WWW-Authenticate',
  'X-Mneme-Memory-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Policy',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');
const preflightSeconds = 600;

/**
 * What lets web pages of the named origins read an answer (Fetch standard, CORS protocol); without
 * any named, no page may. Keys travel in a header, so that credentials of the browser are never
 * asked for.
 */
export function corsHeaders(
  origins: readonly string[],
  { headers: { origin } }: FastifyRequest,
): Record<string, string> {
  if (origins.length === 0) return {};
  if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
    'cross-origin-resource-policy': 'cross-origin',
  };
}

/** Answers the question that a browser asks before a page's request, where it may be sent. */
export function handlePreflights(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  server.addHook('onRequest', async (request, reply) => {
    const { origin = '', 'access-control-request-method': asked } = request.headers;
    if (request.method !== 'OPTIONS' || asked === undefined || !origins.includes(origin)) return;
    const granted = {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(preflightSeconds),
    };
    return reply.code(204).headers(granted).send();
  });
}
