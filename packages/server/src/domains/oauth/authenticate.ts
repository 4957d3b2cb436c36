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
import { findGrant } from './store/grants.ts';
import { findToken } from './store/tokens.ts';

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
  const token = await findToken(app.engine.db, hashSecret(presented));
  const grant = token && (await findGrant(app.engine.db, token.account_id, token.grant_id));
  if (!grant || token.kind !== 'access' || grant.resource !== resource) {
    const message = 'The access token is unknown, or is for another URL.';
    throw unauthorizedError('invalid_api_key', message);
  }
  if (grant.revoked_at !== null || token.expires_at <= app.clock.now()) {
    throw unauthorizedError('expired_token', 'The access token has expired or was revoked.');
  }
  const { actor } = await authenticateKeyHolder(app, {
    accountId: grant.account_id,
    keyId: grant.key_id,
    secretFingerprint: grant.key_fingerprint,
  });
  const scopes = token.scopes.filter(isOAuthScope).filter((one) => hasScope(actor.scopes, one));
  return {
    ...actor,
    token: { id: token.id, expiresAt: token.expires_at, audience: resource },
    scopes: new Set(scopes),
    spaces: intersect(actor.spaces, grant.space_ids),
    user: grant.user_id,
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
