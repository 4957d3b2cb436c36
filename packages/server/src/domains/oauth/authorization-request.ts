import type { App } from '../ctx.ts';
import { findOAuthClient, type OAuthClient } from './clients.ts';
import { OAuthError, type OAuthErrorCode } from './errors.ts';
import { parseResource, type Resource } from './issuer.ts';
import { addToRedirect, isRegisteredRedirect } from './redirect-uri.ts';
import { type OAuthScope, parseScopes } from './scopes.ts';
import { isChallenge } from './secrets.ts';

/** A valid request of a client for what a person may allow. */
export interface AuthorizationRequest {
  readonly issuer: string;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly resource: Resource;
  readonly scopes: readonly OAuthScope[];
  readonly state: string | undefined;
  readonly challenge: string;
  /** The query of the request, which the forms of its pages repeat. */
  readonly query: string;
}

/** An error that the client receives when the person follows a link. */
export class AuthorizationRejected extends Error {
  readonly location: string;

  constructor(location: string, description: string) {
    super(description);
    this.location = location;
  }
}

const parameterNames = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'scope',
  'state',
] as const;

/**
 * Reads and checks the query of an authorization request. Throws OAuthError if the client or its
 * redirect URI is not valid: then nothing may be sent there. Throws AuthorizationRejected for
 * everything else.
 */
export async function readAuthorizationRequest(
  app: App,
  issuer: string,
  { query, network }: { readonly query: string; readonly network: string },
): Promise<AuthorizationRequest> {
  const sent = new URLSearchParams(query);
  const repeated = parameterNames.find((name) => sent.getAll(name).length > 1);
  if (repeated !== undefined) throw new OAuthError('invalid_request', `${repeated} is repeated.`);
  const value = (name: (typeof parameterNames)[number]) => sent.get(name) ?? undefined;
  const clientId = value('client_id');
  if (!clientId) throw new OAuthError('invalid_request', 'client_id is required.');
  const client = await findOAuthClient(app, clientId, network);
  const redirectUri = value('redirect_uri');
  if (!redirectUri) throw new OAuthError('invalid_request', 'redirect_uri is required.');
  if (!isRegisteredRedirect(client.redirectUris, redirectUri)) {
    const description = 'redirect_uri is not one of the redirect URIs of the client.';
    throw new OAuthError('invalid_request', description);
  }
  const state = value('state');
  const back = { issuer, redirectUri, state };
  if (value('response_type') !== 'code') {
    throw rejection(back, 'unsupported_response_type', 'response_type must be code.');
  }
  const challenge = value('code_challenge') ?? '';
  if (!isChallenge(challenge) || value('code_challenge_method') !== 'S256') {
    const description = 'code_challenge is required, with code_challenge_method=S256.';
    throw rejection(back, 'invalid_request', description);
  }
  const resource = parseResource(issuer, value('resource') ?? '');
  if (resource === null) {
    throw rejection(back, 'invalid_target', `resource must be ${issuer}/mcp or a space below it.`);
  }
  const scopes = parseScopes(value('scope'));
  if (scopes.length === 0) throw rejection(back, 'invalid_scope', 'No scope is known.');
  return { issuer, client, redirectUri, resource, scopes, state, challenge, query };
}

type Return = Pick<AuthorizationRequest, 'issuer' | 'redirectUri' | 'state'>;

const rejection = (
  back: Return,
  error: OAuthErrorCode,
  error_description: string,
): AuthorizationRejected =>
  new AuthorizationRejected(toRedirect(back, { error, error_description }), error_description);

/** The answer to the client. `iss` says whose it is (RFC 9207). */
export const toRedirect = (
  { issuer, redirectUri, state }: Return,
  answer: Readonly<Record<string, string>>,
): string =>
  addToRedirect(redirectUri, { ...answer, ...(state === undefined ? {} : { state }), iss: issuer });

export const denialRedirect = (request: AuthorizationRequest): string =>
  toRedirect(request, {
    error: 'access_denied',
    error_description: 'The request was denied.',
  });
