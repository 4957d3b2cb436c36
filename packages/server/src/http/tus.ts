import { routes, tusVersion } from '@mneme/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';

const extensions = ['creation', 'termination', 'expiration'];
/** The requests that a client without PATCH and DELETE may send as POST. */
const overridden = ['PATCH', 'DELETE'];

/** Whether a path is one of the resumable uploads' (https://tus.io/protocols/resumable-upload). */
const isTus = (url: string, prefix: string): boolean => {
  const begin = `${prefix}${routes.media.createUpload.path}`;
  return (
    url.startsWith(begin) && ['', '/', '?'].includes(url.slice(begin.length, begin.length + 1))
  );
};

/**
 * What the protocol has beside its routes: its version in each answer, 412 for another one, and
 * OPTIONS, which tells what is spoken here. Before a key is asked for, as OPTIONS anywhere.
 */
export function speakTus(server: FastifyInstance, app: App, prefix: string): void {
  const spoken = {
    'tus-version': tusVersion,
    'tus-extension': extensions.join(','),
    'tus-max-size': String(app.config.media.uploadBytesMax),
  };
  server.addHook('onRequest', async ({ method, url, headers }, reply: FastifyReply) => {
    if (!isTus(url, prefix)) return;
    if (method === 'OPTIONS') return void reply.headers(spoken);
    reply.header('tus-resumable', tusVersion);
    const asked = headers['tus-resumable'];
    if (asked === undefined || asked === tusVersion) return;
    throw new AppError('precondition_failed', {
      message: `The version of tus must be ${tusVersion}.`,
      headers: { 'tus-version': tusVersion },
    });
  });
}

/** X-HTTP-Method-Override, of uploads alone: the method that is meant in place of POST. */
export function overrideMethod(raw: FastifyRequest['raw'], prefix: string): void {
  const meant = String(raw.headers['x-http-method-override'] ?? '').toUpperCase();
  if (raw.method !== 'POST' || !overridden.includes(meant)) return;
  if (isTus(raw.url ?? '', prefix)) raw.method = meant;
}
