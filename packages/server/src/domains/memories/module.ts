import { erasureBackoffSeconds, hourSeconds, type Module, minuteSeconds } from '../module.ts';
import { beforeSpaceRemove } from '../spaces/index.ts';
import {
  pruneBulkChanges,
  pruneBulkChangesKind,
  runBulkChange,
  runUndo,
} from './bulk-changes/run.ts';
import { bulkChangeKind, undoBulkChangeKind } from './bulk-changes/start.ts';
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
    [bulkChangeKind]: { run: runBulkChange, backoffSeconds: [5, 60, 600] },
    [undoBulkChangeKind]: { run: runUndo, backoffSeconds: [5, 60, 600] },
    [pruneBulkChangesKind]: { run: pruneBulkChanges, backoffSeconds: [600] },
    [expireMemoriesKind]: { run: expireMemories, backoffSeconds: [60, 600] },
  },
  schedules: [
    { kind: expireMemoriesKind, everySeconds: minuteSeconds },
    { kind: pruneBulkChangesKind, everySeconds: hourSeconds },
  ],
  checks: [memoryCounterCheck, documentCheck, orphanDocumentCheck],
  eraseAccount: eraseAccountMemories,
  registerHooks(app) {
    beforeSpaceRemove.on(app, requireNoMemoriesInSpace);
  },
} satisfies Module;
