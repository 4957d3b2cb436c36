import type { FastifyRequest } from 'fastify';
import type { App } from '../../domains/ctx.ts';
import { issuerOf, oauthScopes } from '../../domains/oauth/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { credentialsOf } from '../credentials.ts';
import { protectedResourceMetadataUrl } from './metadata.ts';

/**
 * Adds to a 401 and to a missing scope where the client can get another token (RFC 9728, 5.1).
 * Returns other errors unchanged, and all of them if the service offers no OAuth.
 */
export function withChallenge(
  { config }: Pick<App, 'config'>,
  request: FastifyRequest,
  error: AppError,
): AppError {
  const issuer = issuerOf(config);
  const required = error.details?.required_scope;
  const isMissingScope = error.status === 403 && typeof required === 'string';
  if (issuer === null || (error.status !== 401 && !isMissingScope)) return error;
  const { space } = request.params as { space?: string };
  const parameters = {
    ...(isMissingScope ? { error: 'insufficient_scope' } : invalidToken(request)),
    scope: isMissingScope ? scopesWith(request, String(required)) : oauthScopes.join(' '),
    resource_metadata: protectedResourceMetadataUrl(issuer, space),
  };
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  const { code, message, status, details, headers, cause } = error;
  return new AppError(code, {
    message,
    status,
    cause,
    ...(details === undefined ? {} : { details }),
    headers: { ...headers, 'www-authenticate': `Bearer ${list.join(', ')}` },
  });
}

const invalidToken = ({ headers }: FastifyRequest): { error?: string } =>
  credentialsOf(headers) === undefined ? {} : { error: 'invalid_token' };

/** Those of the token, which it would lose otherwise, and the missing one. */
const scopesWith = ({ visit }: FastifyRequest, required: string): string =>
  [...new Set([...(visit?.actor.scopes ?? []), required])].join(' ');
