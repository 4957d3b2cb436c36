import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccountSettings, AccountState, ApiKey, Plan, Scope } from '@mneme/contract';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly suspended: boolean;
  /** When its last suspension ended; null: it was never suspended. */
  readonly resumed_at: Date | null;
  /** Only explicitly set values. */
  readonly settings: Record<string, unknown>;
  readonly contact_email: string | null;
  readonly deleted_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface KeyRecord {
  readonly account_id: string;
  readonly id: string;
  readonly name: string;
  readonly key_id: string;
  readonly secret_hash: Uint8Array;
  readonly previous_hash: Uint8Array | null;
  readonly previous_until: Date | null;
  readonly scopes: string[];
  readonly space_ids: string[] | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const hashKey = (key: string): Uint8Array => sha256(key);

/** Constant time, so that the timing reveals nothing about the hash. */
export function keyMatches(
  record: Pick<KeyRecord, 'secret_hash' | 'previous_hash' | 'previous_until'>,
  hash: Uint8Array,
  now: Date,
): boolean {
  const current = timingSafeEqual(record.secret_hash, hash);
  const previous =
    record.previous_hash !== null &&
    timingSafeEqual(record.previous_hash, hash) &&
    record.previous_until !== null &&
    record.previous_until > now;
  return current || previous;
}

/** Identifies the secret of a key in its tokens, without revealing it. */
export const fingerprintSecret = (hash: Uint8Array): string =>
  createHash('sha256').update(hash).digest().subarray(0, 16).toString('base64url');

/** Whether the fingerprint is of the current secret, or of the former one in its grace period. */
export const matchesSecretFingerprint = (
  record: Pick<KeyRecord, 'secret_hash' | 'previous_hash' | 'previous_until'>,
  fingerprint: string,
  now: Date,
): boolean =>
  fingerprintSecret(record.secret_hash) === fingerprint ||
  (record.previous_hash !== null &&
    record.previous_until !== null &&
    record.previous_until > now &&
    fingerprintSecret(record.previous_hash) === fingerprint);

/** Periods of usage counters: all time, a UTC month, a UTC day. */
export const totalPeriod = 'total';
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const presentKey = (record: KeyRecord): ApiKey => ({
  id: record.id,
  name: record.name,
  prefix: `mnk_${record.key_id}`,
  scopes: record.scopes as Scope[],
  space_ids: record.space_ids,
  expires_at: iso(record.expires_at),
  revoked_at: iso(record.revoked_at),
  last_used_at: iso(record.last_used_at),
  created_at: record.created_at.toISOString(),
});

const defaultSettings: AccountSettings = {
  daily_memory_limit: null,
  enforce_endpoint_limits: false,
  allow_custom_relationship_types: false,
  detect_updates: 'suggest',
  email: { accept_unknown: 'store' },
};

/** Merges stored settings over the defaults. */
export const withDefaultSettings = (
  stored: Record<string, unknown> & { readonly email?: object },
): AccountSettings => ({
  ...defaultSettings,
  ...stored,
  email: { ...defaultSettings.email, ...stored.email },
});

export const presentAccount = (account: Account, contactEmail: string): AccountState => ({
  id: account.id,
  name: account.name,
  plan: account.plan as Plan,
  suspended: account.suspended,
  settings: withDefaultSettings(account.settings),
  contact_email: account.contact_email ?? contactEmail,
  created_at: account.created_at.toISOString(),
  updated_at: account.updated_at.toISOString(),
});
