import { oauthScopes, resourceOf } from '../../domains/oauth/index.ts';
import type { Config } from '../../kernel/config.ts';

export const protectedResourcePath = '/.well-known/oauth-protected-resource';
export const authorizationServerPath = '/.well-known/oauth-authorization-server';

/** Metadata of the MCP server as a protected resource (RFC 9728). */
export const protectedResourceMetadata = (issuer: string, space?: string) => ({
  resource: resourceOf(issuer, space),
  authorization_servers: [issuer],
  scopes_supported: oauthScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Mneme',
});

/** The URL of that metadata (RFC 9728, 3.1). */
export const protectedResourceMetadataUrl = (issuer: string, space?: string): string =>
  `${issuer}${protectedResourcePath}${resourceOf('', space)}`;

/** Metadata of the service as an authorization server (RFC 8414). */
export const authorizationServerMetadata = (
  issuer: string,
  { oauthRegistration }: Pick<Config, 'oauthRegistration'>,
) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  ...(oauthRegistration ? { registration_endpoint: `${issuer}/oauth/register` } : {}),
  scopes_supported: oauthScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});
