import { erasureBackoffSeconds, type Module, minuteSeconds } from '../module.ts';
import { beforeSpaceRemove } from '../spaces/index.ts';
import { documentCheck, memoryCounterCheck, orphanDocumentCheck } from './checks.ts';
import { eraseAccountMemories, eraseMemories, eraseMemoriesKind } from './erase.ts';
import { eraseMatchingKind, eraseMatchingMemories } from './erase-matching.ts';
import { expireMemories, expireMemoriesKind } from './expire.ts';
import { requireNoMemoriesInSpace } from './find.ts';
import { memoryRouteHandlers } from './routes.ts';

export const memoryModule = {
  name: 'memories',
  handlers: memoryRouteHandlers,
  jobs: {
    [eraseMemoriesKind]: { run: eraseMemories, backoffSeconds: erasureBackoffSeconds },
    [eraseMatchingKind]: {
      run: eraseMatchingMemories,
      backoffSeconds: erasureBackoffSeconds,
    },
    [expireMemoriesKind]: { run: expireMemories, backoffSeconds: [60, 600] },
  },
  schedules: [{ kind: expireMemoriesKind, everySeconds: minuteSeconds }],
  checks: [memoryCounterCheck, documentCheck, orphanDocumentCheck],
  eraseAccount: eraseAccountMemories,
  registerHooks(app) {
    beforeSpaceRemove.on(app, requireNoMemoriesInSpace);
  },
} satisfies Module;
