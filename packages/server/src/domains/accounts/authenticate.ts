import type { Plan, Scope } from '@mneme/contract';
import { perApp } from '../../kernel/per-app.ts';
import type { Actor, App } from '../ctx.ts';
import { accountSuspendedError } from './active-account.ts';
import { unauthorizedError } from './errors.ts';
import {
  fingerprintSecret,
  hashKey,
  hasSecretFingerprint,
  keyMatches,
  parseKeyId,
  withDefaultSettings,
} from './model.ts';
import { looksLikeToken, type VerifiedToken, verifyToken } from './signed-tokens.ts';
import { findKeyByHash, type KeyWithAccount, updateKeyLastUsed } from './store/keys.ts';
import { findKeyByToken, type TokenKeyRecord } from './store/tokens.ts';

const cacheMs = 10_000;
const touchMs = 60_000;
/** Of each kind of what is remembered of keys. */
const cacheEntriesMax = 10_000;

interface Cached {
  readonly record: KeyWithAccount | TokenKeyRecord;
  readonly readAt: number;
}

interface KeyCache {
  readonly records: Map<string, Cached>;
  /** Grows with each change of keys here: a record read before one is not kept after it. */
  changes: number;
}

/**
 * Records of keys that proved themselves, for at most 10 s: that is how soon a revocation holds
 * everywhere. Found by the hash of the whole key, or by the id of a signed token; a
 * guess finds nothing here and takes the same way whether its key id exists or not.
 */
const keyCache = perApp<Pick<App, 'disposables'>, KeyCache>(() => ({
  records: new Map(),
  changes: 0,
}));
/** When this process last wrote last_used_at, by the key's id. */
const lastUsedWrites = perApp<App, Map<string, number>>(() => new Map());

/** The credentials of a request. */
export interface Credentials {
  readonly header: string | undefined;
  /** The code for no credentials at all. */
  readonly missing: 'missing_api_key' | 'missing_auth';
}

/**
 * The actor behind an `Authorization` header. Throws 401 missing_api_key or missing_auth,
 * invalid_api_key, revoked_api_key, expired_api_key or expired_token, 403
 * insufficient_permissions for a suspended account.
 */
export async function authenticate(app: App, credentials: Credentials): Promise<Actor> {
  const presented = parseBearerToken(credentials);
  const { record, secretFingerprint, token } = looksLikeToken(presented)
    ? await findRecordByToken(app, presented)
    : await findRecordByKey(app, presented);
  const now = app.clock.now();
  if (record.revoked_at) throw unauthorizedError('revoked_api_key');
  if (record.expires_at && record.expires_at <= now) throw unauthorizedError('expired_api_key');
  if (record.suspended) {
    throw accountSuspendedError();
  }
  recordKeyUse(app, record);
  return {
    accountId: record.account_id,
    plan: record.plan as Plan,
    settings: withDefaultSettings(record.settings),
    keyId: record.id,
    secretFingerprint: secretFingerprint,
    ...(token === undefined ? {} : { token }),
    scopes: new Set(record.scopes as Scope[]),
    spaces: record.space_ids && new Set(record.space_ids),
  };
}

function parseBearerToken({ header, missing }: Credentials): string {
  if (header === undefined || header.trim() === '') throw unauthorizedError(missing);
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match?.[1]) throw unauthorizedError('invalid_api_key');
  return match[1];
}

/** A key's record, and the mark of the secret that it was found by. */
interface ResolvedCredentials {
  readonly record: KeyWithAccount;
  readonly secretFingerprint: string;
  readonly token?: Actor['token'];
}

async function findRecordByKey(app: App, key: string): Promise<ResolvedCredentials> {
  const keyId = parseKeyId(key);
  if (keyId === null) throw unauthorizedError('invalid_api_key');
  const hash = hashKey(key);
  const mark = fingerprintSecret(hash);
  const cacheKey = `key ${Buffer.from(hash).toString('base64')}`;
  const known = findCached(app, cacheKey);
  // A former secret in its time of grace is looked at each time: it may end within the 10 s.
  if (known && keyMatches(known, hash, app.clock.now()))
    return { record: known, secretFingerprint: mark };
  const { changes } = keyCache.of(app);
  const record = await findKeyByHash(app.engine.db, keyId, hash);
  // One comparison, whether there is such a key id or not.
  const matches = keyMatches(record ?? placeholderKey, hash, app.clock.now());
  if (!record || !matches || record.deleted_at) throw unauthorizedError('invalid_api_key');
  cacheRecord(app, cacheKey, record, changes);
  return { record, secretFingerprint: mark };
}

/** A token ends with the secret that it was made with: a rotation ends a leaked key's tokens. */
async function findRecordByToken(app: App, token: string): Promise<ResolvedCredentials> {
  const named = await verifyToken(app, token);
  const { tokenId, secretFingerprint, expiresAt } = named;
  const record = await findTokenKeyRecord(app, named);
  if (!hasSecretFingerprint(record, secretFingerprint, app.clock.now()))
    throw unauthorizedError('invalid_api_key');
  if ('token_revoked_at' in record && record.token_revoked_at) {
    throw unauthorizedError('expired_token', 'The session token was revoked.');
  }
  return { record, secretFingerprint, token: { id: tokenId, expiresAt } };
}

async function findTokenKeyRecord(app: App, token: VerifiedToken): Promise<Cached['record']> {
  const cacheKey = `token ${token.accountId} ${token.keyId} ${token.tokenId}`;
  const known = findCached(app, cacheKey);
  if (known) return known;
  const { changes } = keyCache.of(app);
  const record = await findKeyByToken(app.engine.db, token);
  if (!record || record.deleted_at) throw unauthorizedError('invalid_api_key');
  cacheRecord(app, cacheKey, record, changes);
  return record;
}

const placeholderKey = {
  secret_hash: new Uint8Array(32),
  previous_hash: null,
  previous_until: null,
};

function findCached(app: App, key: string): Cached['record'] | undefined {
  const found = keyCache.of(app).records.get(key);
  return found && app.clock.monotonicMs() - found.readAt < cacheMs ? found.record : undefined;
}

function cacheRecord(app: App, key: string, record: Cached['record'], changes: number): void {
  const cache = keyCache.of(app);
  if (cache.changes !== changes) return;
  if (cache.records.size >= cacheEntriesMax) cache.records.clear();
  cache.records.set(key, { record, readAt: app.clock.monotonicMs() });
}

/** To be called after a change of keys is committed: this process need not wait for the 10 s. */
export function clearKeyCache(app: Pick<App, 'disposables'>): void {
  const cache = keyCache.of(app);
  cache.changes += 1;
  cache.records.clear();
}

/** last_used_at, at most once a minute per key and never in the request's way. */
function recordKeyUse(app: App, record: KeyWithAccount): void {
  const seen = lastUsedWrites.of(app);
  const now = app.clock.now();
  const last = seen.get(record.id) ?? record.last_used_at?.getTime() ?? 0;
  if (now.getTime() - last < touchMs) return;
  if (seen.size >= cacheEntriesMax) seen.clear();
  seen.set(record.id, now.getTime());
  const use = { now, everyMs: touchMs };
  updateKeyLastUsed(app.engine.db, record.account_id, record.id, use).catch((error: unknown) => {
    app.log.warn({ err: error }, 'last_used_at could not be written');
  });
}
