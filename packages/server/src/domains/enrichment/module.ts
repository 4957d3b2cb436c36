import { beforeExtractionWrite } from '../graph/index.ts';
import type { Module } from '../module.ts';
import { enrichJobKind, runEnrichJob } from './enrich.ts';
import { enrichmentRouteHandlers } from './routes.ts';
import { scoreQuality } from './score.ts';

export const enrichmentModule = {
  name: 'enrichment',
  handlers: enrichmentRouteHandlers,
  jobs: {
    [enrichJobKind]: { run: runEnrichJob, backoffSeconds: [5, 60, 600] },
  },
  registerHooks(app) {
    beforeExtractionWrite.on(app, scoreQuality);
  },
} satisfies Module;
