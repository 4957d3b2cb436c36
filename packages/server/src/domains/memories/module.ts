import { erasureBackoffSeconds, type Module } from '../module.ts';
import { beforeSpaceRemove } from '../spaces/index.ts';
import { documentCheck, memoryCounterCheck, orphanDocumentCheck } from './checks.ts';
import { eraseAccountMemories, eraseMemories, eraseMemoriesKind } from './erase.ts';
import { requireNoMemoriesInSpace } from './find.ts';
import { memoryRouteHandlers } from './routes.ts';

export const memoryModule = {
  name: 'memories',
  handlers: memoryRouteHandlers,
  jobs: {
    [eraseMemoriesKind]: { run: eraseMemories, backoffSeconds: erasureBackoffSeconds },
  },
  checks: [memoryCounterCheck, documentCheck, orphanDocumentCheck],
  eraseAccount: eraseAccountMemories,
  registerHooks(app) {
    beforeSpaceRemove.on(app, requireNoMemoriesInSpace);
  },
} satisfies Module;
