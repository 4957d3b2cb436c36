import { checksumAlgorithms, routes, tusExtensions, tusVersion } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';

/** The requests that a client without PATCH and DELETE may send as POST. */
const overridableMethods = ['PATCH', 'DELETE'];
/** The requests of the protocol, which name its version. GET is an addition of our own. */
const versionedMethods = ['POST', 'HEAD', 'PATCH', 'DELETE'];

/** Whether a path is one of the resumable uploads' (https://tus.io/protocols/resumable-upload). */
export const isTusPath = (url: string, prefix: string): boolean => {
  const begin = `${prefix}${routes.media.createUpload.path}`;
  return (
    url.startsWith(begin) && ['', '/', '?'].includes(url.slice(begin.length, begin.length + 1))
  );
};

/**
 * What the protocol has beside its routes: its version in each answer, 412 for another one or
 * none, and OPTIONS, which lists what is supported, to anybody.
 */
export function registerTus(server: FastifyInstance, app: App, prefix: string): void {
  const spoken = {
    'tus-version': tusVersion,
    'tus-extension': tusExtensions.join(','),
    'tus-checksum-algorithm': checksumAlgorithms.join(','),
    'tus-max-size': String(app.config.media.uploadBytesMax),
  };
  server.addHook('onRequest', async ({ method, url }, reply: FastifyReply) => {
    if (!isTusPath(url, prefix)) return;
    if (method === 'OPTIONS') reply.headers(spoken);
    else reply.header('tus-resumable', tusVersion);
  });
  // After the key was asked for, and before the body is.
  server.addHook('preParsing', async ({ method, url, headers, routeOptions }) => {
    if (!isTusPath(url, prefix) || routeOptions.config.route === undefined) return;
    const asked = headers['tus-resumable'];
    if (asked === tusVersion || (asked === undefined && !versionedMethods.includes(method))) return;
    throw new AppError('precondition_failed', {
      message: `Send the header Tus-Resumable: ${tusVersion}.`,
      headers: { 'tus-version': tusVersion },
    });
  });
}

/** X-HTTP-Method-Override, of uploads alone: the method that is meant in place of POST. */
export function overrideMethod(raw: FastifyRequest['raw'], prefix: string): void {
  const meant = String(raw.headers['x-http-method-override'] ?? '').toUpperCase();
  if (raw.method !== 'POST' || !overridableMethods.includes(meant)) return;
  if (isTusPath(raw.url ?? '', prefix)) raw.method = meant;
}
