export { coAccessKind, learnTogether } from './activation/co-access.ts';
export { closeIdleKind, closeIdleSessions, recordActivation } from './activation/record.ts';
export { sessionCheck, sessionNameCheck } from './checks.ts';
export {
  endSessionAgain,
  eraseAccountSessions,
  eraseSession,
  eraseSessionKind,
  requireNoSessions,
  retainSessions,
  retainSessionsKind,
} from './erase.ts';
export { countChanges, placeInSessions } from './memories.ts';
export { sessionHandlers } from './routes.ts';
