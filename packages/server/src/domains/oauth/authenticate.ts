import {
  authenticate,
  authenticateKeyHolder,
  type Credentials,
  hasScope,
  parseBearerToken,
  unauthorizedError,
} from '../accounts/index.ts';
import type { Actor, App } from '../ctx.ts';
import { isOAuthScope } from './scopes.ts';
import { hashSecret, isAccessToken } from './secrets.ts';
import { findAccessToken } from './store/tokens.ts';

/**
 * Returns the actor of a request to `resource`: of an access token for this URL, otherwise as
 * `authenticate` does. The actor has what was allowed, as far as the key still has it. Throws what
 * `authenticate` throws.
 */
export async function authenticateForResource(
  app: App,
  credentials: Credentials,
  resource: string | null,
): Promise<Actor> {
  const { header = '' } = credentials;
  if (resource === null || header.trim() === '') return authenticate(app, credentials);
  const presented = parseBearerToken(credentials);
  if (!isAccessToken(presented)) return authenticate(app, credentials);
  const found = await findAccessToken(app.engine.db, hashSecret(presented));
  if (found?.resource !== resource) {
    const message = 'The access token is unknown, or is for another URL.';
    throw unauthorizedError('invalid_api_key', message);
  }
  if (found.revoked_at !== null || found.token_expires_at <= app.clock.now()) {
    throw unauthorizedError('expired_token', 'The access token has expired or was revoked.');
  }
  const { actor } = await authenticateKeyHolder(app, {
    accountId: found.account_id,
    keyId: found.key_id,
    secretFingerprint: found.key_fingerprint,
  });
  const scopes = found.token_scopes
    .filter(isOAuthScope)
    .filter((one) => hasScope(actor.scopes, one));
  return {
    ...actor,
    token: { id: found.token_id, expiresAt: found.token_expires_at, audience: resource },
    scopes: new Set(scopes),
    spaces: intersect(actor.spaces, found.space_ids),
    user: found.user_id,
  };
}

/** Null: every space. */
const intersect = (
  ofKey: ReadonlySet<string> | null,
  allowed: readonly string[] | null,
): ReadonlySet<string> | null => {
  if (allowed === null) return ofKey;
  return new Set(allowed.filter((id) => ofKey === null || ofKey.has(id)));
};
