import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { acceptsEncoding } from './accept-encoding.ts';
import { authenticateRequest } from './authenticate-request.ts';

/**
 * Allows only resources of this host. The page has inline styles and one inline script with its
 * settings, which is allowed by its hash; no injected script runs.
 */
const pagePolicy = (html: string): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScripts(html).map(cspHash)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(([, text = '']) => text);
const cspHash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const docsPath = '/docs';

/** More than the number of pages and scripts. */
const cachedPagesMax = 10;

interface Page {
  readonly status: number;
  readonly type: string;
  readonly location: string | undefined;
  readonly bytes: Buffer;
  readonly gzipped: Buffer | undefined;
  readonly policy: string;
}

/**
 * Serves the API reference, which scripts of this host render from the OpenAPI document. The
 * scripts need 17 MB of memory and a tenth of a start, so they are loaded at the first request.
 * Pages are cached compressed (1.3 MB instead of 4.4 MB), and all responses share their bytes.
 */
export function serveDocs(server: FastifyInstance, app: App, prefix: string): void {
  let loaded: Promise<FastifyInstance> | undefined;
  const cache = new Map<string, Page>();
  const loadPage = async (url: string): Promise<Page> => {
    loaded ??= loadReference(prefix);
    const response = await (await loaded).inject({ method: 'GET', url });
    const { 'content-type': type = 'text/plain', location } = response.headers;
    const isPage = String(type).startsWith('text/html');
    const isScript = /^(?:text|application)\/javascript/.test(String(type));
    return {
      status: response.statusCode,
      type: String(type),
      location: location === undefined ? undefined : String(location),
      bytes: response.rawPayload,
      gzipped: isPage || isScript ? await compress(response.rawPayload) : undefined,
      policy: pagePolicy(isPage ? response.payload : ''),
    };
  };
  const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
    authenticateRequest(app, docsRoute, request, reply);
  const method = ['GET', 'HEAD'];
  for (const url of [docsPath, `${docsPath}/*`]) {
    server.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const path = request.url.split('?', 1)[0] ?? '';
        const page = cache.get(path) ?? (await loadPage(path));
        if (page.status === 404) return reply.callNotFound();
        if (cache.size < cachedPagesMax) cache.set(path, page);
        reply.code(page.status).header('content-security-policy', page.policy);
        if (page.location !== undefined) reply.header('location', page.location);
        return sendCompressed(request, reply.header('content-type', page.type), page);
      },
    });
  }
}

const compress = promisify(gzip);

function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, gzipped }: Pick<Page, 'bytes' | 'gzipped'>,
): FastifyReply {
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'];
  reply.header('vary', vary.filter((name) => name !== undefined).join(', '));
  if (!gzipped || !acceptsEncoding('gzip', headers['accept-encoding'])) return reply.send(bytes);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}

const docsRoute = { id: 'docs', access: 'public', method: 'GET', path: docsPath } as const;

async function loadReference(prefix: string): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  await server.register(reference, {
    routePrefix: docsPath,
    configuration: {
      url: `${prefix}/openapi.json`,
      title: 'Mneme',
      pageTitle: 'Mneme',
      theme: 'default',
      withDefaultFonts: false,
      telemetry: false,
      // Disable all links to services of the vendor.
      agent: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      customCss: 'a[href*="scalar.com"] { display: none; }',
    },
  });
  await server.ready();
  return server;
}
