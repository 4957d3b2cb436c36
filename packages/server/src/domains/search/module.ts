import { clustersOfMemories, findClustersByWords } from '../clusters/index.ts';
import type { Module } from '../module.ts';
import { searchSpaces } from '../spaces/index.ts';
import { keywordSearchRegistry, memoryGroupingRegistry } from './hooks.ts';
import { eraseSearchPresets } from './presets.ts';
import { searchRouteHandlers } from './routes.ts';

export const searchModule = {
  name: 'search',
  handlers: searchRouteHandlers,
  eraseAccount: eraseSearchPresets,
  registerHooks(app) {
    keywordSearchRegistry.on(app, 'space', searchSpaces);
    keywordSearchRegistry.on(app, 'cluster', findClustersByWords);
    memoryGroupingRegistry.on(app, 'clusters', clustersOfMemories);
  },
} satisfies Module;
