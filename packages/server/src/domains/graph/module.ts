import { releaseAllLeases } from '../../database/index.ts';
import { countUnprocessedEvents } from '../../events/event-cursor.ts';
import { beforeMemoriesErase, onMemoryChanges } from '../memories/index.ts';
import type { Module } from '../module.ts';
import { beforeSpaceRemove } from '../spaces/index.ts';
import {
  backfillExtractions,
  backfillExtractionsKind,
  backfillSpeakers,
  backfillSpeakersKind,
} from './backfill.ts';
import { endedFactsCheck, factCheck, speakerCheck } from './checks.ts';
import { eraseAccountGraph, eraseMemoriesFromGraph, eraseSpaceGraph } from './erase.ts';
import { markProtected } from './mark-ended.ts';
import { markStoredEnds, markStoredEndsKind } from './mark-stored-ends.ts';
import { graphRouteHandlers } from './routes.ts';

export const graphModule = {
  name: 'graph',
  handlers: graphRouteHandlers,
  jobs: {
    [backfillSpeakersKind]: { run: backfillSpeakers, backoffSeconds: [5, 60, 600, 3_600] },
    [backfillExtractionsKind]: { run: backfillExtractions, backoffSeconds: [5, 60, 600, 3_600] },
    [markStoredEndsKind]: { run: markStoredEnds, backoffSeconds: [5, 60, 600, 3_600] },
  },
  checks: [factCheck, endedFactsCheck, speakerCheck],
  eraseAccount: eraseAccountGraph,
  releaseLeases: (db) => releaseAllLeases(db, 'extraction_cursors'),
  async collectMetrics({ engine: { db } }, metrics) {
    const lag = await countUnprocessedEvents(db, 'extraction_cursors');
    metrics.setValue('mneme_event_consumer_lag_events', { consumer: 'extraction' }, lag);
  },
  registerHooks(app) {
    beforeMemoriesErase.on(app, eraseMemoriesFromGraph);
    beforeSpaceRemove.on(app, eraseSpaceGraph);
    onMemoryChanges.on(app, markProtected);
  },
} satisfies Module;
