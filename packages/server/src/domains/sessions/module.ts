import { beforeSessionJoin, onMemoryChanges } from '../memories/index.ts';
import { erasureBackoffSeconds, hourSeconds, type Module, minuteSeconds } from '../module.ts';
import { beforeSpaceRemove } from '../spaces/index.ts';
import { coAccessKind, learnCoAccess } from './activation/co-access.ts';
import { closeIdleSessions, closeIdleSessionsKind } from './activation/record.ts';
import { sessionCheck, sessionReferenceCheck } from './checks.ts';
import {
  enforceSessionRetention,
  eraseAccountSessions,
  eraseSession,
  eraseSessionKind,
  requireNoSessionsInSpace,
  sessionRetentionKind,
} from './erase.ts';
import { assignSessionOrdinals, updateSessionCounters } from './memories.ts';
import { sessionRouteHandlers } from './routes.ts';

export const sessionModule = {
  name: 'sessions',
  handlers: sessionRouteHandlers,
  jobs: {
    [eraseSessionKind]: { run: eraseSession, backoffSeconds: erasureBackoffSeconds },
    [coAccessKind]: { run: learnCoAccess, backoffSeconds: [5, 60, 600] },
    [closeIdleSessionsKind]: { run: (app) => closeIdleSessions(app), backoffSeconds: [60] },
    [sessionRetentionKind]: { run: enforceSessionRetention, backoffSeconds: [60, 600] },
  },
  schedules: [
    { kind: sessionRetentionKind, everySeconds: hourSeconds },
    { kind: closeIdleSessionsKind, everySeconds: minuteSeconds },
  ],
  checks: [sessionCheck, sessionReferenceCheck],
  eraseAccount: eraseAccountSessions,
  registerHooks(app) {
    beforeSessionJoin.on(app, assignSessionOrdinals);
    onMemoryChanges.on(app, updateSessionCounters);
    beforeSpaceRemove.on(app, requireNoSessionsInSpace);
  },
} satisfies Module;
