import type { ErrorCode, Scope } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { service } from '../../kernel/service.ts';
import type { Actor, App } from '../ctx.ts';
import { hashKey, keyMatches, readKeyId } from './model.ts';
import { findKeyByKeyId, type KeyWithAccount, touchKey } from './store.ts';

const cacheMs = 10_000;
const touchMs = 60_000;
const cachedKeysMax = 10_000;

interface Cached {
  readonly record: KeyWithAccount;
  readonly readAt: number;
}

/** Verified keys, kept for at most 10 s: that is how soon a revocation holds everywhere. */
const verifiedKeys = service<App, Map<string, Cached>>(() => new Map());
const touched = service<App, Map<string, number>>(() => new Map());

/**
 * The actor behind an `Authorization` header. Throws 401 missing_api_key, invalid_api_key,
 * revoked_api_key or expired_api_key, 403 insufficient_permissions for a suspended account.
 */
export async function authenticate(app: App, header: string | undefined): Promise<Actor> {
  const key = bearer(header);
  const keyId = readKeyId(key);
  if (keyId === null) throw refused('invalid_api_key');
  const record = await recordOf(app, keyId);
  const now = app.clock.now();
  if (!record || record.deleted_at || !keyMatches(record, hashKey(key), now)) {
    throw refused('invalid_api_key');
  }
  if (record.revoked_at) throw refused('revoked_api_key');
  if (record.expires_at && record.expires_at <= now) throw refused('expired_api_key');
  if (record.suspended) {
    throw new AppError('insufficient_permissions', { message: 'The account is suspended.' });
  }
  noteUse(app, record);
  return {
    accountId: record.account_id,
    keyId: record.id,
    scopes: new Set(record.scopes as Scope[]),
    spaces: record.space_ids && new Set(record.space_ids),
  };
}

const refused = (code: ErrorCode): AppError =>
  new AppError(code, { headers: { 'www-authenticate': 'Bearer' } });

function bearer(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw refused('missing_api_key');
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match?.[1]) throw refused('invalid_api_key');
  return match[1];
}

async function recordOf(app: App, keyId: string): Promise<KeyWithAccount | undefined> {
  const cache = verifiedKeys.of(app);
  const cached = cache.get(keyId);
  const now = app.clock.monotonicMs();
  if (cached && now - cached.readAt < cacheMs) return cached.record;
  const record = await findKeyByKeyId(app.engine.db, keyId);
  // Unknown ids are not kept: they would let a stranger fill the cache.
  if (!record) cache.delete(keyId);
  else {
    if (cache.size >= cachedKeysMax) cache.clear();
    cache.set(keyId, { record, readAt: now });
  }
  return record;
}

/** After a change of keys here, this process need not wait for the 10 s. */
export const forgetKeys = (app: App): void => verifiedKeys.of(app).clear();

/** last_used_at, at most once a minute per key and never in the request's way. */
function noteUse(app: App, record: KeyWithAccount): void {
  const seen = touched.of(app);
  const now = app.clock.now();
  const last = seen.get(record.id) ?? record.last_used_at?.getTime() ?? 0;
  if (now.getTime() - last < touchMs) return;
  seen.set(record.id, now.getTime());
  touchKey(app.engine.db, record.account_id, record.id, now).catch((error: unknown) => {
    app.log.warn({ err: error }, 'last_used_at could not be written');
  });
}
