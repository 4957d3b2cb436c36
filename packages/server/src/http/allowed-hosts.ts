import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';
import { perApp } from '../kernel/per-app.ts';

/** Host names that requests may use, in addition to IP addresses. */
const allowedHostNames = perApp<App, ReadonlySet<string>>(({ config }) => {
  const { host, publicUrl, allowedHosts, index } = config;
  const urls = [publicUrl, index.peerUrl].filter((url) => url !== null);
  const ownNames = urls.map((url) => new URL(url).hostname);
  return new Set(['localhost', host.toLowerCase(), ...ownNames, ...allowedHosts]);
});

/**
 * Prevents DNS rebinding: a page of another site can point its own host name to this server and
 * read the responses, but its requests have that name in Host. Throws 421 invalid_request.
 */
export function requireAllowedHost(app: App, { headers: { host } }: FastifyRequest): void {
  // HTTP/1.0 needs no Host header, and no browser uses it.
  if (host === undefined) return;
  const name = hostnameOf(host);
  const allowed = allowedHostNames.of(app);
  if (isIP(name) !== 0 || allowed.has(name) || allowed.has('*')) return;
  if (name.endsWith('.localhost')) return;
  throw new AppError('invalid_request', {
    status: 421,
    message:
      'The host name in the Host header is not allowed. Set MNEME_PUBLIC_URL to the URL of the ' +
      'service, or add the name to MNEME_ALLOWED_HOSTS.',
    details: { host: name.slice(0, hostDetailCharactersMax) },
  });
}

const hostDetailCharactersMax = 255;

/** In lower case, without port and brackets; '' for an invalid host. */
function hostnameOf(host: string): string {
  if (!URL.canParse(`http://${host}`)) return '';
  const { hostname, pathname, username, search, hash } = new URL(`http://${host}`);
  if (pathname !== '/' || username + search + hash !== '') return '';
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

const isUnsafeMethod = (method: string): boolean => !/^(?:GET|HEAD|OPTIONS)$/.test(method);

/**
 * Prevents cross-site requests to routes without a key, such as a form of another site. Requests
 * with a key are left to CORS, because a page has only the keys of its user. Throws 403
 * invalid_request.
 */
export function requireAllowedOrigin(app: App, request: FastifyRequest): void {
  const { origin, authorization, host, 'x-api-key': key } = request.headers;
  if (origin === undefined || !isUnsafeMethod(request.method)) return;
  if (request.routeOptions.config.allowsEveryOrigin) return;
  if (authorization !== undefined || key !== undefined) return;
  const { corsOrigins, publicUrl } = app.config;
  const allowed = [`http://${host}`, `https://${host}`, ...corsOrigins];
  if (publicUrl !== null) allowed.push(new URL(publicUrl).origin);
  if (allowed.includes(origin)) return;
  throw new AppError('invalid_request', {
    status: 403,
    message: 'Cross-origin request not allowed. To allow the origin, set MNEME_CORS_ORIGINS.',
  });
}
