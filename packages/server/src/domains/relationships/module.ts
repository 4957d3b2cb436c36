import { onMemoryChanges } from '../memories/index.ts';
import type { Module } from '../module.ts';
import { relationshipCheck } from './checks.ts';
import { updatePinnedCounts } from './pins.ts';
import { relationshipHandlers } from './routes.ts';

export const relationshipModule = {
  name: 'relationships',
  handlers: relationshipHandlers,
  checks: [relationshipCheck],
  registerHooks(app) {
    onMemoryChanges.on(app, updatePinnedCounts);
  },
} satisfies Module;
