import type { Plan, Scope } from '@mneme/contract';
import { parseKeyId } from '../../kernel/api-key-format.ts';
import { perApp } from '../../kernel/per-app.ts';
import type { Actor, App } from '../ctx.ts';
import { accountSuspendedError } from './active-account.ts';
import { unauthorizedError } from './errors.ts';
import {
  fingerprintSecret,
  hashKey,
  keyMatches,
  matchesSecretFingerprint,
  withDefaultSettings,
} from './model.ts';
import { scopesWithin } from './scopes.ts';
import { looksLikeToken, type VerifiedToken, verifyToken } from './signed-tokens.ts';
import {
  findKeyByHash,
  findKeyWithAccount,
  type KeyWithAccount,
  updateKeyLastUsed,
} from './store/keys.ts';
import { findKeyByToken, type TokenKeyRecord } from './store/tokens.ts';

const cacheMs = 10_000;
const touchMs = 60_000;
/** Per cache. */
const cacheEntriesMax = 10_000;

interface Cached {
  readonly record: KeyWithAccount | TokenKeyRecord;
  readonly readAt: number;
}

interface KeyCache {
  readonly records: Map<string, Cached>;
  /** Incremented by each change of keys in this process: an older record is not cached. */
  generation: number;
}

/**
 * Records of verified keys, cached for at most 10 s: the time until a revocation takes effect in
 * every process. Cached by the hash of the whole key, or by the id of a signed token. A wrong key
 * is never cached and takes the same code path whether or not its key id exists.
 */
const keyCache = perApp<Pick<App, 'disposables'>, KeyCache>(() => ({
  records: new Map(),
  generation: 0,
}));
/** When this process last wrote last_used_at, by the key's id. */
const lastUsedWrites = perApp<App, Map<string, number>>(() => new Map());

/** Credentials of a request. */
export interface Credentials {
  readonly header: string | undefined;
  /** The error code for absent credentials. */
  readonly missing: 'missing_api_key' | 'missing_auth';
}

/**
 * Returns the actor of an `Authorization` header. Throws 401 missing_api_key or missing_auth,
 * invalid_api_key, revoked_api_key, expired_api_key or expired_token, 403
 * insufficient_permissions for a suspended account.
 */
export async function authenticate(app: App, credentials: Credentials): Promise<Actor> {
  const presented = parseBearerToken(credentials);
  const resolved = looksLikeToken(presented)
    ? await findRecordByToken(app, presented)
    : await findRecordByKey(app, presented);
  return toActor(app, resolved);
}

/** Throws 401 revoked_api_key, expired_api_key, 403 insufficient_permissions. */
function toActor(
  app: App,
  { record, secretFingerprint, token, user = null, limitedTo = null }: ResolvedCredentials,
): Actor {
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
    scopes: scopesWithin(new Set(record.scopes as Scope[]), limitedTo),
    spaces: record.space_ids && new Set(record.space_ids),
    user,
  };
}

/** Whoever proved to hold a key earlier: the key, and the secret that it had then. */
interface KeyHolder {
  readonly accountId: string;
  readonly keyId: string;
  readonly secretFingerprint: string;
}

/**
 * Returns the actor and the name of a key whose secret was presented earlier. Throws 401
 * invalid_api_key for another secret or a deleted account, revoked_api_key, expired_api_key, 403
 * insufficient_permissions for a suspended account.
 */
export async function authenticateKeyHolder(
  app: App,
  { accountId, keyId, secretFingerprint }: KeyHolder,
): Promise<{ readonly actor: Actor; readonly keyName: string }> {
  const cacheKey = `holder ${accountId} ${keyId}`;
  const { generation } = keyCache.of(app);
  const cached = findCached(app, cacheKey);
  const record = cached ?? (await findKeyWithAccount(app.engine.db, accountId, keyId));
  const isCurrent =
    record !== undefined &&
    record.deleted_at === null &&
    matchesSecretFingerprint(record, secretFingerprint, app.clock.now());
  if (!isCurrent) throw unauthorizedError('invalid_api_key');
  if (!cached) cacheRecord(app, cacheKey, record, generation);
  return { actor: toActor(app, { record, secretFingerprint }), keyName: record.name };
}

export function parseBearerToken({ header, missing }: Credentials): string {
  if (header === undefined || header.trim() === '') throw unauthorizedError(missing);
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match?.[1]) throw unauthorizedError('invalid_api_key');
  return match[1];
}

/** The record of a key, and the fingerprint of the secret that was presented. */
interface ResolvedCredentials {
  readonly record: KeyWithAccount;
  readonly secretFingerprint: string;
  readonly token?: Actor['token'];
  /** Whom the token is limited to. */
  readonly user?: string | null;
  /** The scopes that the token is limited to. */
  readonly limitedTo?: readonly string[] | null;
}

async function findRecordByKey(app: App, key: string): Promise<ResolvedCredentials> {
  const keyId = parseKeyId(key);
  if (keyId === null) throw unauthorizedError('invalid_api_key');
  const hash = hashKey(key);
  const fingerprint = fingerprintSecret(hash);
  const cacheKey = `key ${Buffer.from(hash).toString('base64')}`;
  const cached = findCached(app, cacheKey);
  // The grace period of a former secret is checked each time: it may end within the 10 s.
  if (cached && keyMatches(cached, hash, app.clock.now()))
    return { record: cached, secretFingerprint: fingerprint };
  const { generation } = keyCache.of(app);
  const record = await findKeyByHash(app.engine.db, keyId, hash);
  // One comparison in both cases, so that the timing does not reveal whether the key id exists.
  const matches = keyMatches(record ?? placeholderKey, hash, app.clock.now());
  if (!record || !matches || record.deleted_at) throw unauthorizedError('invalid_api_key');
  cacheRecord(app, cacheKey, record, generation);
  return { record, secretFingerprint: fingerprint };
}

/** A token ends with the secret of its creation: rotating a leaked key ends its tokens. */
async function findRecordByToken(app: App, token: string): Promise<ResolvedCredentials> {
  const claims = await verifyToken(app, token);
  const { tokenId, secretFingerprint, expiresAt } = claims;
  const record = await findTokenKeyRecord(app, claims);
  if (!matchesSecretFingerprint(record, secretFingerprint, app.clock.now()))
    throw unauthorizedError('invalid_api_key');
  if (record.token_revoked_at) {
    throw unauthorizedError('expired_token', 'The session token was revoked.');
  }
  if (record.token_single_use) {
    const message = 'The token is for one sign-in: send it to POST /v1/auth/tokens/renew.';
    throw unauthorizedError('expired_token', message);
  }
  const { token_user_id: user, token_scopes: limitedTo } = record;
  const named = { id: tokenId, expiresAt };
  return { record, secretFingerprint, token: named, user, limitedTo };
}

async function findTokenKeyRecord(app: App, token: VerifiedToken): Promise<TokenKeyRecord> {
  const cacheKey = `token ${token.accountId} ${token.keyId} ${token.tokenId}`;
  const cached = findCached(app, cacheKey);
  if (cached && 'token_user_id' in cached) return cached;
  const { generation } = keyCache.of(app);
  const record = await findKeyByToken(app.engine.db, token);
  if (!record || record.deleted_at) throw unauthorizedError('invalid_api_key');
  cacheRecord(app, cacheKey, record, generation);
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

function cacheRecord(app: App, key: string, record: Cached['record'], generation: number): void {
  const cache = keyCache.of(app);
  if (cache.generation !== generation) return;
  if (cache.records.size >= cacheEntriesMax) cache.records.clear();
  cache.records.set(key, { record, readAt: app.clock.monotonicMs() });
}

/** Call after a change of keys is committed, so that it takes effect here at once. */
export function clearKeyCache(app: Pick<App, 'disposables'>): void {
  const cache = keyCache.of(app);
  cache.generation += 1;
  cache.records.clear();
}

/** Updates last_used_at at most once a minute per key, without delaying the request. */
function recordKeyUse(app: App, record: KeyWithAccount): void {
  const lastUsed = lastUsedWrites.of(app);
  const now = app.clock.now();
  const lastUseMs = lastUsed.get(record.id) ?? record.last_used_at?.getTime() ?? 0;
  if (now.getTime() - lastUseMs < touchMs) return;
  if (lastUsed.size >= cacheEntriesMax) lastUsed.clear();
  lastUsed.set(record.id, now.getTime());
  const use = { now, everyMs: touchMs };
  updateKeyLastUsed(app.engine.db, record.account_id, record.id, use).catch((error: unknown) => {
    app.log.warn({ err: error }, 'last_used_at update failed');
  });
}
