import { hourSeconds, type Module, minuteSeconds } from '../module.ts';
import {
  backupKind,
  enqueueDueBackup,
  enqueueDueBackupKind,
  makeScheduledBackup,
} from './backup/scheduled.ts';
import {
  removeContentKind,
  removeContentSeconds,
  removeErasedContent,
} from './erasures/remove-content.ts';
import { housekeepingKind, runHousekeeping } from './housekeeping.ts';
import { reembed, reembedKind } from './reembed.ts';
import { operationRouteHandlers } from './routes.ts';

export const operationModule = {
  name: 'operations',
  handlers: operationRouteHandlers,
  jobs: {
    [reembedKind]: { run: reembed, backoffSeconds: [5, 30, 60, 300, 600, 3_600, 3_600] },
    [enqueueDueBackupKind]: { run: enqueueDueBackup, backoffSeconds: [] },
    [backupKind]: { run: makeScheduledBackup, backoffSeconds: [60, 600, 3_600], queue: 'backups' },
    [removeContentKind]: { run: removeErasedContent, backoffSeconds: [5, 30, 60, 600] },
    [housekeepingKind]: { run: runHousekeeping, backoffSeconds: [60] },
  },
  schedules: [
    { kind: housekeepingKind, everySeconds: hourSeconds },
    { kind: enqueueDueBackupKind, everySeconds: minuteSeconds },
    { kind: removeContentKind, everySeconds: removeContentSeconds },
  ],
} satisfies Module;
