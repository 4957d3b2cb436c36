import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { authenticateRequest } from './authenticate-request.ts';

/**
 * Nothing comes from, or goes, elsewhere. The page writes styles inline, and its own settings in a
 * script, which is allowed by its hash: no other script that gets into the page runs.
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

/** More than there are pages and scripts. */
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
 * The reference page, drawn from the OpenAPI document with scripts of our own host. Those are
 * 17 MB in memory and a tenth of a start, so that they are loaded when somebody first reads it.
 * What was read once is kept: all who read it slowly share its bytes. Compressed once, the script
 * has 1.3 MB instead of 4.4.
 */
export function serveDocs(server: FastifyInstance, app: App, prefix: string): void {
  let loaded: Promise<FastifyInstance> | undefined;
  const kept = new Map<string, Page>();
  const read = async (url: string): Promise<Page> => {
    loaded ??= loadReference(prefix);
    const answer = await (await loaded).inject({ method: 'GET', url });
    const { 'content-type': type = 'text/plain', location } = answer.headers;
    const isPage = String(type).startsWith('text/html');
    const isScript = /^(?:text|application)\/javascript/.test(String(type));
    return {
      status: answer.statusCode,
      type: String(type),
      location: location === undefined ? undefined : String(location),
      bytes: answer.rawPayload,
      gzipped: isPage || isScript ? await compress(answer.rawPayload) : undefined,
      policy: pagePolicy(isPage ? answer.payload : ''),
    };
  };
  const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
    authenticateRequest(app, docsRoute, request, reply);
  const method = ['GET', 'HEAD'];
  server.route({
    method,
    url: '/',
    onRequest,
    handler: async (_request, reply) => reply.redirect(docsPath),
  });
  for (const url of [docsPath, `${docsPath}/*`]) {
    server.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const path = request.url.split('?', 1)[0] ?? '';
        const page = kept.get(path) ?? (await read(path));
        if (page.status === 404) return reply.callNotFound();
        if (kept.size < cachedPagesMax) kept.set(path, page);
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
  if (!gzipped || !acceptsGzip(headers['accept-encoding'])) return reply.send(bytes);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}

/** RFC 9110, 12.5.3: listed, and not with a weight of 0. */
const acceptsGzip = (accepted: string | string[] = ''): boolean =>
  String(accepted)
    .split(',')
    .some((coding) => /^\s*gzip\s*(?:;(?!\s*q=0(?:\.0*)?\s*$)|$)/i.test(coding));

const docsRoute = { access: 'public', method: 'GET', path: docsPath } as const;

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
      // All of these lead to services of the page's vendor.
      agent: { disabled: true, hideAddApi: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      customCss: 'a[href*="scalar.com"] { display: none; }',
    },
  });
  await server.ready();
  return server;
}
