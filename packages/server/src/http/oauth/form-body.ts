import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OAuthError } from '../../domains/oauth/index.ts';
import { sendContinue } from '../request-timeout.ts';

export const formMediaType = 'application/x-www-form-urlencoded';

/** Reads forms in this scope; the body of the request is their fields. */
export function readFormBodies(scope: FastifyInstance): void {
  scope.addHook('preParsing', async ({ raw }) => sendContinue(raw));
  scope.removeContentTypeParser(formMediaType);
  scope.addContentTypeParser(
    formMediaType,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => new URLSearchParams(bytes.toString('utf8')),
  );
}

export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** Throws OAuthError invalid_request for a field that is repeated (RFC 6749, 3.2). */
export function singleFieldsOf(request: FastifyRequest): Record<string, string> {
  const form = formOf(request);
  const repeated = [...form.keys()].find((name) => form.getAll(name).length > 1);
  if (repeated !== undefined) {
    throw new OAuthError('invalid_request', `${repeated.slice(0, 100)} is repeated.`);
  }
  return Object.fromEntries(form);
}
