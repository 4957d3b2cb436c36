import { z } from 'zod';
import { enforceNetworkLimit } from '../accounts/index.ts';
import type { App } from '../ctx.ts';
import { clientName, redirectUrisMax } from './client-document.ts';
import { OAuthError } from './errors.ts';
import { findRedirectUriError } from './redirect-uri.ts';
import { type ClientRecord, insertClient } from './store/clients.ts';

const registrationLimit = { name: 'client registrations', limit: 10, seconds: 3_600 } as const;
/** Registered clients that nobody has allowed anything yet. */
const unusedClientsMax = 1_000;

const registration = z.object({
  redirect_uris: z.array(z.string()).min(1).max(redirectUrisMax),
  client_name: clientName.optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
});

interface RegisteredClient {
  readonly client_id: string;
  readonly client_id_issued_at: number;
  readonly client_name?: string;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
  readonly token_endpoint_auth_method: 'none';
}

/**
 * Registers a public client (RFC 7591): what it asks for beyond that is replaced. Throws OAuthError
 * invalid_client_metadata, invalid_redirect_uri, temporarily_unavailable, 429 rate_limit_exceeded.
 */
export async function registerClient(
  app: App,
  metadata: unknown,
  network: string,
): Promise<RegisteredClient> {
  if (!app.config.oauthRegistration) {
    const description = 'Clients cannot register here: use the URL of a metadata document.';
    throw new OAuthError('invalid_request', description, { status: 403 });
  }
  await enforceNetworkLimit(app, network, registrationLimit);
  const sent = registration.safeParse(metadata);
  if (!sent.success) {
    const [issue] = sent.error.issues;
    const description = `${issue?.path.join('.') || 'The body'} is not valid: ${issue?.message}.`;
    throw new OAuthError('invalid_client_metadata', description);
  }
  const { redirect_uris, client_name, grant_types = ['authorization_code'] } = sent.data;
  if (!grant_types.includes('authorization_code')) {
    throw new OAuthError('invalid_client_metadata', 'grant_types must have authorization_code.');
  }
  for (const uri of redirect_uris) {
    const error = findRedirectUriError(uri);
    if (error !== null) throw new OAuthError('invalid_redirect_uri', `A redirect URI ${error}.`);
  }
  const client: ClientRecord = {
    id: `client_${app.ids.uuid()}`,
    name: client_name || null,
    redirect_uris,
    created_at: app.clock.now(),
    last_used_at: null,
  };
  if (!(await insertClient(app.engine.db, client, unusedClientsMax))) {
    const description = 'Too many clients are registered and unused. Retry tomorrow.';
    throw new OAuthError('temporarily_unavailable', description, { status: 503 });
  }
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.created_at.getTime() / 1_000),
    ...(client.name === null ? {} : { client_name: client.name }),
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
