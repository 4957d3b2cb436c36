import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

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

/** The reference page, drawn from the OpenAPI document with scripts of our own host. */
export async function serveDocs(server: FastifyInstance, prefix: string): Promise<void> {
  await server.register((scope, _options, done) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', pagePolicy);
    });
    void scope.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: `${prefix}/openapi.json`,
        title: 'Mneme',
        pageTitle: 'Mneme',
        theme: 'default',
        withDefaultFonts: false,
        telemetry: false,
      },
    });
    done();
  });
}
