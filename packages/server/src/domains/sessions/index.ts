export { recordActivation } from './activation/record.ts';
export {
  eraseSession,
  reapplySessionDeletion,
} from './erase.ts';
