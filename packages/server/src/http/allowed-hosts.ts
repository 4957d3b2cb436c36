import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';
import { perApp } from '../kernel/per-app.ts';

/** Names by which requests may reach the service, beside addresses. */
const allowedHostNames = perApp<App, ReadonlySet<string>>(({ config }) => {
  const { host, publicUrl, allowedHosts } = config;
  const outside = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  return new Set(['localhost', host.toLowerCase(), ...outside, ...allowedHosts]);
});

/**
 * A page of another site can have its own name point here (DNS rebinding), and would then read
 * answers as its own. Its requests name that host; an address cannot be pointed anywhere else.
 * Throws 421 invalid_request.
 */
export function requireAllowedHost(app: App, { headers: { host } }: FastifyRequest): void {
  // HTTP/1.0, which no browser sends.
  if (host === undefined) return;
  const name = hostnameOf(host);
  const allowed = allowedHostNames.of(app);
  if (isIP(name) !== 0 || allowed.has(name) || allowed.has('*')) return;
  if (name.endsWith('.localhost')) return;
  throw new AppError('invalid_request', {
    status: 421,
    message:
      'The Host header has a name that is not allowed. Set MNEME_PUBLIC_URL to the URL of the ' +
      'service, or add the name to MNEME_ALLOWED_HOSTS.',
    details: { host: name.slice(0, shownMax) },
  });
}

const shownMax = 255;

/** Without port and brackets, in lower case; '' for what is no host. */
function hostnameOf(host: string): string {
  if (!URL.canParse(`http://${host}`)) return '';
  const { hostname, pathname, username, search, hash } = new URL(`http://${host}`);
  if (pathname !== '/' || username + search + hash !== '') return '';
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

const isUnsafeMethod = (method: string): boolean => !/^(?:GET|HEAD|OPTIONS)$/.test(method);

/**
 * A page of another site can send a form to a route that takes no key. With a key it may call where
 * CORS lets it: no page has one that it was not given. Throws 403 invalid_request.
 */
export function requireAllowedOrigin(app: App, request: FastifyRequest): void {
  const { origin, authorization, host, 'x-api-key': key } = request.headers;
  if (origin === undefined || !isUnsafeMethod(request.method)) return;
  if (authorization !== undefined || key !== undefined) return;
  const { corsOrigins, publicUrl } = app.config;
  const own = [`http://${host}`, `https://${host}`, ...corsOrigins];
  if (own.includes(origin) || (publicUrl !== null && new URL(publicUrl).origin === origin)) return;
  throw new AppError('invalid_request', {
    status: 403,
    message: 'A page of another origin cannot send this. Origins are set by MNEME_CORS_ORIGINS.',
  });
}
