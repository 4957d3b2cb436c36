import { clustersOfMemories, findClustersByWords } from '../clusters/index.ts';
import type { Module } from '../module.ts';
import { searchSpaces } from '../spaces/index.ts';
import { keywordSearches, memoryGroupings } from './hooks.ts';
import { eraseSearchPresets } from './presets.ts';
import { searchRouteHandlers } from './routes.ts';

export const searchModule = {
  name: 'search',
  handlers: searchRouteHandlers,
  eraseAccount: eraseSearchPresets,
  registerHooks(app) {
    keywordSearches.on(app, 'space', searchSpaces);
    keywordSearches.on(app, 'cluster', findClustersByWords);
    memoryGroupings.on(app, 'clusters', clustersOfMemories);
  },
} satisfies Module;
