import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Any page may call it: it uses no cookie, and answers nobody more than anybody. */
    allowsEveryOrigin?: boolean;
  }
}

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-Range',
  'If-None-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
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
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Mcp-Session-Id',
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
 * The headers that allow web pages of the configured origins to read a response (CORS protocol of
 * the Fetch standard). Keys are sent in a header, so browser credentials are not allowed.
 */
export function corsHeaders(
  origins: readonly string[],
  { headers: { origin }, routeOptions }: FastifyRequest,
): Record<string, string> {
  if (routeOptions.config.allowsEveryOrigin) {
    return { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
  }
  if (origins.length === 0) return {};
  if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
    'cross-origin-resource-policy': 'cross-origin',
  };
}

/** Responds to CORS preflight requests. */
export function handlePreflights(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  server.addHook('onRequest', async (request, reply) => {
    const { origin = '', 'access-control-request-method': method } = request.headers;
    if (request.method !== 'OPTIONS' || method === undefined || !origins.includes(origin)) return;
    const headers = {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(preflightSeconds),
    };
    return reply.code(204).headers(headers).send();
  });
}
