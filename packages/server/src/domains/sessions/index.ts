export { recordActivation } from './activation/record.ts';
export {
  eraseSession,
  reapplySessionDeletion,
} from './erase.ts';
export { readVisibleSession } from './lifecycle.ts';
export { invalidTransitionError } from './model.ts';
