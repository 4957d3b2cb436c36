import { limits } from '@mneme/contract';
import type { AppError } from '../../kernel/errors.ts';
import type { Actor, App } from '../ctx.ts';
import { concurrencyLimiter } from './concurrency-limiter.ts';
import { tooManyRequestsError } from './errors.ts';
import { findKeyWithAccount } from './store/keys.ts';
import { findKeyByToken } from './store/tokens.ts';

/** What has no end is no request: open streams are counted by account, among all processes. */
export async function acquireEventStream(
  app: App,
  { accountId }: Actor,
): Promise<() => Promise<void>> {
  const max = limits.eventStreamsMax;
  const counted = concurrencyLimiter.of(app);
  const now = app.clock.now();
  const refused = (): AppError => {
    const reached = { limit: max, window: 0, resetAtMs: now.getTime() + 1_000 };
    const message = `The account has ${max} open streams already.`;
    return tooManyRequestsError('concurrent_limit_exceeded', reached, now, { message });
  };
  // An account's id is no key's: both count in the same place.
  if (!counted.acquireLocal(accountId, max)) throw refused();
  try {
    const release = await counted.acquireShared(accountId, max);
    if (release === null) throw refused();
    return async () => {
      counted.releaseLocal(accountId);
      await release().catch((error: unknown) => {
        app.log.warn({ err: error }, 'the slot of a stream could not be given back');
      });
    };
  } catch (error) {
    counted.releaseLocal(accountId);
    throw error;
  }
}

/**
 * Whether the credentials that opened something are still good: neither ended nor revoked, nor with
 * a new secret.
 */
export type CredentialCheck = () => Promise<boolean>;

export async function createCredentialCheck(
  app: App,
  { accountId, keyId, token }: Actor,
): Promise<CredentialCheck> {
  const read = async () => {
    if (keyId === null) return undefined;
    return token === undefined
      ? findKeyWithAccount(app.engine.db, accountId, keyId)
      : findKeyByToken(app.engine.db, { accountId, keyId, tokenId: token.id });
  };
  const opened = await read();
  const isSame = (a: Uint8Array, b: Uint8Array | null): boolean =>
    b !== null && Buffer.from(a).equals(b);
  return async () => {
    const record = await read();
    if (!opened || !record) return false;
    const { revoked_at, expires_at, suspended, deleted_at, previous_until } = record;
    const now = app.clock.now();
    if ('token_revoked_at' in record && record.token_revoked_at) return false;
    if (token && token.expiresAt <= now) return false;
    if (revoked_at || suspended || deleted_at || (expires_at && expires_at <= now)) return false;
    if (isSame(opened.secret_hash, record.secret_hash)) return true;
    const graceful = previous_until !== null && previous_until > now;
    return graceful && isSame(opened.secret_hash, record.previous_hash);
  };
}
