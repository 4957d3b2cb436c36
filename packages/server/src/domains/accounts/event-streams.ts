import { limits } from '@mneme/contract';
import type { AppError } from '../../kernel/errors.ts';
import type { Actor, App } from '../ctx.ts';
import { concurrencyLimiter } from './concurrency-limiter.ts';
import { tooManyRequestsError } from './errors.ts';
import { findKeyWithAccount } from './store/keys.ts';
import { findKeyByToken } from './store/tokens.ts';

/** Streams are endless, so they are limited separately: per account, among all processes. */
export async function acquireEventStreamSlot(
  app: App,
  { accountId }: Actor,
): Promise<() => Promise<void>> {
  const max = limits.eventStreamsMax;
  const limiter = concurrencyLimiter.of(app);
  const now = app.clock.now();
  const tooManyStreams = (): AppError => {
    const reached = { limit: max, window: 0, resetAtMs: now.getTime() + 1_000 };
    const message = `The account already has ${max} open streams: close one first.`;
    return tooManyRequestsError('concurrent_limit_exceeded', reached, now, { message });
  };
  // Ids of accounts and keys are distinct, so both can share one limiter.
  if (!limiter.acquireLocal(accountId, max)) throw tooManyStreams();
  try {
    const release = await limiter.acquireShared(accountId, max);
    if (release === null) throw tooManyStreams();
    return async () => {
      limiter.releaseLocal(accountId);
      await release().catch((error: unknown) => {
        app.log.warn({ err: error }, 'event stream slot release failed');
      });
    };
  } catch (error) {
    limiter.releaseLocal(accountId);
    throw error;
  }
}

/**
 * Whether the credentials that opened a connection are still valid: not expired, not revoked and
 * not rotated.
 */
export type CredentialRecheck = () => Promise<boolean>;

export async function createCredentialRecheck(
  app: App,
  { accountId, keyId, token }: Actor,
): Promise<CredentialRecheck> {
  const readRecord = async () => {
    if (keyId === null) return undefined;
    return token === undefined
      ? findKeyWithAccount(app.engine.db, accountId, keyId)
      : findKeyByToken(app.engine.db, { accountId, keyId, tokenId: token.id });
  };
  const initialRecord = await readRecord();
  const isSame = (a: Uint8Array, b: Uint8Array | null): boolean =>
    b !== null && Buffer.from(a).equals(b);
  return async () => {
    const record = await readRecord();
    if (!initialRecord || !record) return false;
    const { revoked_at, expires_at, suspended, deleted_at, previous_until } = record;
    const now = app.clock.now();
    if ('token_revoked_at' in record && record.token_revoked_at) return false;
    if (token && token.expiresAt <= now) return false;
    if (revoked_at || suspended || deleted_at || (expires_at && expires_at <= now)) return false;
    if (isSame(initialRecord.secret_hash, record.secret_hash)) return true;
    const isInGracePeriod = previous_until !== null && previous_until > now;
    return isInGracePeriod && isSame(initialRecord.secret_hash, record.previous_hash);
  };
}
