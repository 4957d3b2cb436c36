export { recordActivation } from './activation/record.ts';
export {
  eraseSession,
  reapplySessionDeletion,
} from './erase.ts';
export { importSessions, lockNextOrdinals } from './import.ts';
export { readVisibleSession } from './lifecycle.ts';
export { invalidTransitionError } from './model.ts';
export { findSession } from './store/sessions.ts';
