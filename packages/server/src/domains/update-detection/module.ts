import { beforeExtractionWrite, onFactsEnded } from '../graph/index.ts';
import { beforeMemoryCreate, onMemoryChanges, onUpdatesFound } from '../memories/index.ts';
import type { Module } from '../module.ts';
import { likelySuccessorCheck } from './checks.ts';
import { detectAtCreate, storeFoundUpdates } from './detect-at-create.ts';
import { detectInBackground } from './detect-in-background.ts';
import { keepCreated } from './recent-memories.ts';
import { updateDetectionRouteHandlers } from './routes.ts';
import { enqueueEnded, suggestEnded, suggestEndedKind } from './suggest-ended.ts';
import { withdrawProtected } from './withdraw-protected.ts';

export const updateDetectionModule = {
  name: 'update-detection',
  checks: [likelySuccessorCheck],
  handlers: updateDetectionRouteHandlers,
  jobs: {
    [suggestEndedKind]: { run: suggestEnded, backoffSeconds: [5, 60, 600, 3_600] },
  },
  registerHooks(app) {
    beforeMemoryCreate.on(app, detectAtCreate);
    onUpdatesFound.on(app, storeFoundUpdates);
    onMemoryChanges.on(app, withdrawProtected);
    onMemoryChanges.on(app, keepCreated);
    beforeExtractionWrite.on(app, detectInBackground);
    onFactsEnded.on(app, enqueueEnded);
  },
} satisfies Module;
