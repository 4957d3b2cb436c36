export { requireActiveAccount } from './active-account.ts';
export { findAccountActor } from './actor.ts';
export { pollAdminKeyResetRequests, requestAdminKeyReset } from './admin-key-reset-requests.ts';
export { recordAuditEntry } from './audit.ts';
export {
  authenticate,
  authenticateKeyHolder,
  type Credentials,
  parseBearerToken,
} from './authenticate.ts';
export { bootstrap, type CreatedAdminKey } from './bootstrap.ts';
export { accountExists, readResourceCount } from './checks.ts';
export { lockCountLimit } from './count-limits.ts';
export { assertOwnDataFolder, claimDataFolder } from './data-folder.ts';
export { unauthorizedError } from './errors.ts';
export {
  acquireEventStreamSlot,
  type CredentialRecheck,
  createCredentialRecheck,
} from './event-streams.ts';
export { onAccountRead } from './hooks.ts';
export { pruneCounters } from './housekeeping.ts';
export { beforeKeyIssue } from './keys.ts';
export {
  beforeAccountErase,
  createImportedAccount,
  eraseAccount,
  getAccount,
  reapplyAccountDeletion,
} from './manage.ts';
export {
  enforceEndpointLimit,
  enforceMailRateLimits,
  enforceNetworkLimit,
  enforceRateLimits,
  type RateLimitPermit,
} from './rate-limits.ts';
export { AdminKeyNotReset, resetAdminKey } from './reset-admin.ts';
export { beforeAccountResume } from './resume.ts';
export { hasScope, requireScope } from './scopes.ts';
export { loadOrCreateSecretKey, SecretKeyMismatch } from './secret-key.ts';
export { createSignInFragment } from './sign-in-link.ts';
export { lockAccountForShare } from './store/accounts.ts';
export { accountIdsAfter, countAccounts } from './store/checks.ts';
export {
  chargeEmbedding,
  chargeResourceQuota,
  chargeSearches,
  releaseMemoryQuota,
  requireMemoryQuota,
  reserveMemoryQuota,
} from './usage.ts';
