export { requireActive } from './active.ts';
export { accountActor } from './actor.ts';
export { type Admission, admit, admitMail } from './admission.ts';
export { recordChange } from './audit.ts';
export { authenticate } from './authenticate.ts';
export { AdminKeyMalformed, bootstrap, type FirstKey } from './bootstrap.ts';
export { holdCount } from './caps.ts';
export { accountCheck, accountIsThere, countedOf } from './checks.ts';
export { holdStream, type StillGood, watchKey } from './event-streams.ts';
export { ownFolder, refuseFolder } from './folder.ts';
export { trimCounters } from './housekeeping.ts';
export { issuingKey } from './keys.ts';
export { endAccountAgain, eraseAccount, eraseAccountKind, erasingAccount } from './manage.ts';
export { AdminKeyNotReset, resetAdminKey } from './reset-admin.ts';
export { answerResets, requestReset } from './reset-requests.ts';
export { resumingAccount } from './resume.ts';
export { accountHandlers } from './routes.ts';
export { grants, requireScope } from './scopes.ts';
export { openSecretKey, SecretKeyMismatch } from './secret-key.ts';
export { holdAccount } from './store/accounts.ts';
export { accountIdsAfter, countAccounts } from './store/checks.ts';
export {
  chargeEmbedding,
  chargeHeld,
  chargeSearches,
  requireRoom,
  reserveMemories,
  returnMemories,
} from './usage.ts';
