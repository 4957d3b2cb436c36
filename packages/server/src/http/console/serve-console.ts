import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../domains/ctx.ts';
import { AppError } from '../../kernel/errors.ts';
import {
  ensureConsoleBuilt,
  type FileEncoding,
  readConsoleFile,
} from '../../providers/console/index.ts';
import { acceptsEncoding } from '../accept-encoding.ts';
import { authenticateRequest } from '../authenticate-request.ts';

const consolePath = '/console';
const assetsPath = `${consolePath}/assets/`;

/**
 * Everything that the page loads is a file of this server; nothing is inline. The one policy of
 * Trusted Types gives the address of the worker that lays out the graph.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types mneme-layout',
].join('; ');

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The name of a file has its hash, so that a browser never asks for it again. */
const immutable = 'public, max-age=31536000, immutable';
/** Names of built files: nothing that leaves the folder. */
const assetName = /^[\w-]+(?:\.[\w-]+)*(\.(?:js|css|svg))$/;
/** Larger than the number of built files, in all encodings. */
const cachedFilesMax = 200;

const consoleRoute = { id: 'console', access: 'public', method: 'GET', path: consolePath } as const;
const method = ['GET', 'HEAD'];

/**
 * Serves the console: its page at every path below /console, which a script of the page shows, and
 * its files below /console/assets. `/` redirects there, or to the API reference if it is off.
 */
export function serveConsole(server: FastifyInstance, app: App): void {
  const isOn = app.config.servesConsole;
  const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
    authenticateRequest(app, consoleRoute, request, reply);
  const redirect = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.redirect(isOn ? consolePath : '/docs');
  server.route({ method, url: '/', onRequest, handler: redirect });
  if (!isOn) return;
  const read = cachedReader();
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    await requireBuilt(app);
    return sendPageFile(request, reply, read);
  };
  server.route({ method, url: consolePath, onRequest, handler: sendPage });
  server.route({ method, url: `${consolePath}/*`, onRequest, handler: sendPage });
  server.route({
    method,
    url: `${assetsPath}:name`,
    onRequest,
    handler: async (request, reply) => {
      const { name } = request.params as { name: string };
      const extension = assetName.exec(name)?.[1];
      if (extension === undefined) return reply.callNotFound();
      const file = await negotiate(request, read, `assets/${name}`);
      if (file === null) return reply.callNotFound();
      reply.headers({ 'cache-control': immutable, 'content-type': contentTypes[extension] });
      return sendFile(reply, file);
    },
  });
}

type ReadFile = typeof readConsoleFile;

interface EncodedFile {
  readonly encoding: FileEncoding;
  readonly bytes: Buffer;
}

/** Missing files are read again: a build can add them. */
function cachedReader(): ReadFile {
  const cache = new Map<string, Buffer>();
  return async (name, encoding = 'identity') => {
    // The page names the other files, so that it must be that of the current build.
    if (name === 'index.html') return readConsoleFile(name, encoding);
    const key = `${encoding} ${name}`;
    const bytes = cache.get(key) ?? (await readConsoleFile(name, encoding));
    if (bytes !== null && cache.size < cachedFilesMax) cache.set(key, bytes);
    return bytes;
  };
}

/** Throws 503 service_unavailable. */
async function requireBuilt({ log }: App): Promise<void> {
  try {
    await ensureConsoleBuilt();
  } catch (cause) {
    log.error({ err: cause }, 'console build failed');
    const message = 'The console is not built. Run `npm ci` in the folder of Mneme, and reload.';
    throw new AppError('service_unavailable', { message, cause });
  }
}

/** The smallest stored form that the client accepts; null if there is no such file. */
async function negotiate(
  { headers }: FastifyRequest,
  read: ReadFile,
  name: string,
): Promise<EncodedFile | null> {
  const accepted = headers['accept-encoding'];
  for (const encoding of ['br', 'gzip'] as const) {
    if (!acceptsEncoding(encoding, accepted)) continue;
    const bytes = await read(name, encoding);
    if (bytes !== null) return { encoding, bytes };
  }
  const bytes = await read(name);
  return bytes === null ? null : { encoding: 'identity', bytes };
}

async function sendPageFile(
  request: FastifyRequest,
  reply: FastifyReply,
  read: ReadFile,
): Promise<FastifyReply> {
  const file = await negotiate(request, read, 'index.html');
  if (file === null) throw new AppError('service_unavailable');
  const etag = `"${createHash('sha256').update(file.bytes).digest('base64url').slice(0, 22)}"`;
  reply.headers({
    'cache-control': 'no-cache',
    'content-security-policy': pagePolicy,
    'cross-origin-opener-policy': 'same-origin',
    'content-type': contentTypes['.html'],
    etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return sendFile(reply, file);
}

function sendFile(reply: FastifyReply, { encoding, bytes }: EncodedFile): FastifyReply {
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'];
  reply.header('vary', vary.filter((name) => name !== undefined).join(', '));
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(bytes);
}
