import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/** The reference page, drawn from the OpenAPI document with scripts of our own host. */
export async function serveDocs(server: FastifyInstance, prefix: string): Promise<void> {
  await server.register(reference, {
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
}
