import { beforeSupersede, onMemoryChanges, onSupersede } from '../memories/index.ts';
import type { Module } from '../module.ts';
import { relationshipCheck, successorCheck } from './checks.ts';
import { updatePinnedCounts } from './pins.ts';
import { relationshipRouteHandlers } from './routes.ts';
import { checkSuccessions, linkSuccessions } from './supersede.ts';

export const relationshipModule = {
  name: 'relationships',
  handlers: relationshipRouteHandlers,
  checks: [relationshipCheck, successorCheck],
  registerHooks(app) {
    onMemoryChanges.on(app, updatePinnedCounts);
    beforeSupersede.on(app, checkSuccessions);
    onSupersede.on(app, linkSuccessions);
  },
} satisfies Module;
