import { hourSeconds, type Module, minuteSeconds } from '../module.ts';
import {
  backupKind,
  enqueueDueBackup,
  enqueueDueBackupKind,
  makeScheduledBackup,
} from './backup/scheduled.ts';
import {
  removeErasedContent,
  removeErasedContentKind,
  removeErasedContentSeconds,
} from './erasures/remove-content.ts';
import { housekeepingKind, runHousekeeping } from './housekeeping.ts';
import { runModelChangeJob } from './models/change-job.ts';
import { changeModelKind } from './models/choice.ts';
import { runModelTestJob, testModelKind } from './models/test-job.ts';
import { reembedKind, runReembeddingJob } from './reembed.ts';
import { operationRouteHandlers } from './routes.ts';

export const operationModule = {
  name: 'operations',
  handlers: operationRouteHandlers,
  jobs: {
    [reembedKind]: {
      restartedBy: 'POST /admin/reembeddings',
      run: runReembeddingJob,
      payload: ({ embedder }) => ({ model: embedder.model }),
      backoffSeconds: [5, 30, 60, 300, 600, 3_600, 3_600],
    },
    [changeModelKind]: {
      restartedBy: 'POST /admin/reembeddings',
      run: runModelChangeJob,
      payload: ({ embedder }) => ({ model: embedder.model }),
      backoffSeconds: [5, 30, 60],
    },
    [testModelKind]: {
      run: runModelTestJob,
      restartedBy: 'POST /admin/model-tests',
      backoffSeconds: [],
      queue: 'model-tests',
    },
    [enqueueDueBackupKind]: { run: enqueueDueBackup, backoffSeconds: [] },
    [backupKind]: { run: makeScheduledBackup, backoffSeconds: [60, 600, 3_600], queue: 'backups' },
    [removeErasedContentKind]: { run: removeErasedContent, backoffSeconds: [5, 30, 60, 600] },
    [housekeepingKind]: { run: runHousekeeping, backoffSeconds: [60] },
  },
  schedules: [
    { kind: housekeepingKind, everySeconds: hourSeconds },
    { kind: enqueueDueBackupKind, everySeconds: minuteSeconds },
    { kind: removeErasedContentKind, everySeconds: removeErasedContentSeconds },
  ],
} satisfies Module;
