import { AppError } from '../../kernel/errors.ts';
import { authenticate, authenticateKeyHolder, enforceNetworkLimit } from '../accounts/index.ts';
import type { Actor, App } from '../ctx.ts';
import { generateSecret, hashSecret } from './secrets.ts';
import { deleteSession, findSessionByHash, insertSession } from './store/sessions.ts';

export const sessionSeconds = 15 * 60;
const signInLimit = { name: 'sign-ins', limit: 30, seconds: 60 } as const;

/** A person who is signed in. */
export interface BrowserSession {
  /** The secret of the cookie. */
  readonly secret: string;
  readonly actor: Actor;
  readonly keyName: string;
}

/**
 * Signs a person in with an API key, and returns the secret of a new session. Throws what
 * `authenticate` throws, 403 insufficient_permissions for a session token, 429 rate_limit_exceeded.
 */
export async function startBrowserSession(app: App, key: string, network: string): Promise<string> {
  await enforceNetworkLimit(app, network, signInLimit);
  const actor = await authenticate(app, { header: `Bearer ${key}`, missing: 'missing_api_key' });
  const { accountId, keyId, secretFingerprint, token } = actor;
  if (keyId === null || secretFingerprint === undefined || token !== undefined) {
    const message = 'Sign in with an API key, not with a session token.';
    throw new AppError('insufficient_permissions', { message });
  }
  const secret = generateSecret(app.ids, 'session');
  const now = app.clock.now();
  await insertSession(app.engine.db, {
    account_id: accountId,
    id: app.ids.uuid(),
    key_id: keyId,
    key_fingerprint: secretFingerprint,
    secret_hash: hashSecret(secret),
    created_at: now,
    expires_at: new Date(now.getTime() + sessionSeconds * 1_000),
  });
  return secret;
}

/** Null if the session does not exist, or ended, or its key did. */
export async function findBrowserSession(
  app: App,
  secret: string | undefined,
): Promise<BrowserSession | null> {
  if (secret === undefined) return null;
  const session = await findSessionByHash(app.engine.db, hashSecret(secret));
  if (!session || session.expires_at <= app.clock.now()) return null;
  try {
    const holder = {
      accountId: session.account_id,
      keyId: session.key_id,
      secretFingerprint: session.key_fingerprint,
    };
    return { secret, ...(await authenticateKeyHolder(app, holder)) };
  } catch (error) {
    if (isKeyRejection(error)) return null;
    throw error;
  }
}

/** The key does not work any more, or not now. */
export const isKeyRejection = (error: unknown): error is AppError =>
  error instanceof AppError && (error.status === 401 || error.status === 403);

export async function endBrowserSession(app: App, secret: string): Promise<void> {
  await deleteSession(app.engine.db, hashSecret(secret));
}
