import { createHash } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';

/**
 * Nothing comes from, or goes, elsewhere. The page writes styles inline, and its own settings in a
 * script, which is allowed by its hash: no other script that gets into the page runs.
 */
const pagePolicy = (html: string): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts(html).map(hashOf)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(([, text = '']) => text);
const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const pages = '/docs';

/**
 * The reference page, drawn from the OpenAPI document with scripts of our own host. Those are
 * 17 MB in memory and a tenth of a start, so that they are loaded when somebody first reads it.
 */
export function serveDocs(server: FastifyInstance, prefix: string): void {
  let loaded: Promise<FastifyInstance> | undefined;
  for (const url of [pages, `${pages}/*`]) {
    server.get(url, async (request, reply) => {
      loaded ??= loadReference(prefix);
      const answer = await (await loaded).inject({ method: 'GET', url: request.url });
      const { statusCode, headers, rawPayload } = answer;
      if (statusCode === 404) return reply.callNotFound();
      const { 'content-type': type, location } = headers;
      const isPage = String(type).startsWith('text/html');
      reply
        .code(statusCode)
        .header('content-security-policy', pagePolicy(isPage ? rawPayload.toString() : ''));
      if (location !== undefined) reply.header('location', location);
      return reply.header('content-type', type ?? 'text/plain').send(rawPayload);
    });
  }
}

async function loadReference(prefix: string): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  await server.register(reference, {
    routePrefix: pages,
    configuration: {
      url: `${prefix}/openapi.json`,
      title: 'Mneme',
      pageTitle: 'Mneme',
      theme: 'default',
      withDefaultFonts: false,
      telemetry: false,
      // They lead to services of the page's vendor.
      agent: { disabled: true, hideAddApi: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  });
  await server.ready();
  return server;
}
