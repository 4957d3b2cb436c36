import { checksumAlgorithms, routes, tusExtensions, tusVersion } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';

/** The methods that a client may send as POST with X-HTTP-Method-Override. */
const overridableMethods = ['PATCH', 'DELETE'];
/** The methods of the protocol, which require its version header. GET is not part of it. */
const versionedMethods = ['POST', 'HEAD', 'PATCH', 'DELETE'];

/** Whether a path belongs to resumable uploads (https://tus.io/protocols/resumable-upload). */
export const isTusPath = (url: string, prefix: string): boolean => {
  const begin = `${prefix}${routes.media.createUpload.path}`;
  return (
    url.startsWith(begin) && ['', '/', '?'].includes(url.slice(begin.length, begin.length + 1))
  );
};

/**
 * Adds the parts of the protocol that are not routes: its version in each response, 412 for a
 * missing or unsupported version, and OPTIONS, which requires no key and lists the extensions.
 */
export function registerTus(server: FastifyInstance, app: App, prefix: string): void {
  const protocolHeaders = {
    'tus-version': tusVersion,
    'tus-extension': tusExtensions.join(','),
    'tus-checksum-algorithm': checksumAlgorithms.join(','),
    'tus-max-size': String(app.config.media.uploadBytesMax),
  };
  server.addHook('onRequest', async ({ method, url }, reply: FastifyReply) => {
    if (!isTusPath(url, prefix)) return;
    if (method === 'OPTIONS') reply.headers(protocolHeaders);
    else reply.header('tus-resumable', tusVersion);
  });
  // After authentication and before the body is read.
  server.addHook('preParsing', async ({ method, url, headers, routeOptions }) => {
    if (!isTusPath(url, prefix) || routeOptions.config.route === undefined) return;
    const version = headers['tus-resumable'];
    if (version === tusVersion) return;
    if (version === undefined && !versionedMethods.includes(method)) return;
    throw new AppError('precondition_failed', {
      message: `Send the header Tus-Resumable: ${tusVersion}.`,
      headers: { 'tus-version': tusVersion },
    });
  });
}

/** Applies X-HTTP-Method-Override, for uploads only. */
export function overrideMethod(raw: FastifyRequest['raw'], prefix: string): void {
  const method = String(raw.headers['x-http-method-override'] ?? '').toUpperCase();
  if (raw.method !== 'POST' || !overridableMethods.includes(method)) return;
  if (isTusPath(raw.url ?? '', prefix)) raw.method = method;
}
