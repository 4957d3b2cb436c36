import { releaseAllLeases } from '../../database/index.ts';
import { onAccountRead } from '../accounts/index.ts';
import { hourSeconds, type Module } from '../module.ts';
import { resolveAccountModel } from './account-models.ts';
import { searchAffinity } from './affinity/search-affinity.ts';
import { positionCheck, tombstoneCheck } from './checks.ts';
import { indexCache } from './index-cache.ts';
import { segmentCheck } from './segments/check.ts';
import { segmentMaintenance } from './segments/maintenance.ts';
import { countProvisional } from './store/provisional-vectors.ts';
import { compactIndex, compactIndexKind, eraseDocuments } from './write.ts';

export const indexModule = {
  name: 'search-index',
  jobs: {
    [compactIndexKind]: { run: compactIndex, backoffSeconds: [60] },
  },
  schedules: [{ kind: compactIndexKind, everySeconds: hourSeconds }],
  checks: [positionCheck, tombstoneCheck, segmentCheck],
  eraseAccount: eraseDocuments,
  registerHooks(app) {
    segmentMaintenance.of(app).start();
    onAccountRead.on(app, async (ctx, details) => {
      const { model, dimensions } = await resolveAccountModel(ctx);
      details.embedding = { model, dimensions };
    });
  },
  async collectMetrics(app, metrics) {
    const { loaded, threads } = indexCache.of(app);
    const { accounts, documents, bytes } = loaded.totals;
    metrics.set('mneme_index_accounts', accounts);
    metrics.set('mneme_index_documents', documents);
    metrics.set('mneme_index_bytes', bytes);
    metrics.set('mneme_index_bytes_max', loaded.bytesMax);
    metrics.set('mneme_search_threads', threads.running);
    const { liveProcesses } = searchAffinity.of(app);
    if (liveProcesses !== null) metrics.set('mneme_live_processes', liveProcesses);
    metrics.set('mneme_memories_to_encode', await countProvisional(app.engine.db));
  },
  releaseLeases: (db) => releaseAllLeases(db, 'encoding_leases'),
} satisfies Module;
