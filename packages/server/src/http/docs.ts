import fastify, { type FastifyInstance } from 'fastify';

/** The page writes its own settings and styles inline; nothing comes from, or goes, elsewhere. */
const pagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

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
      reply.code(statusCode).header('content-security-policy', pagePolicy);
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
    },
  });
  await server.ready();
  return server;
}
