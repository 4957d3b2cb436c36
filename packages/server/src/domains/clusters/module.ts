import { beforeErase, beforeHide, onMemoryChanges } from '../memories/index.ts';
import { erasureBackoffSeconds, type Module, minuteSeconds } from '../module.ts';
import { beforeSpaceRemove } from '../spaces/index.ts';
import {
  recomputeCentroid,
  recomputeCentroidKind,
  updateCentroids,
  updateCentroidsKind,
} from './centroid-update.ts';
import { clusterCheck } from './checks.ts';
import { removeMemoriesFromClusters, updateClustersOfMemories } from './memory-changes.ts';
import {
  eraseAccountClusters,
  eraseMemberSets,
  eraseMemberSetsKind,
  removeClustersOfSpace,
} from './remove.ts';
import { clusterRouteHandlers } from './routes.ts';
import { autoRun, autoRunKind } from './runs/auto.ts';
import { computeMetrics, metricsKind } from './runs/metrics.ts';
import { runKind } from './runs/queue.ts';
import { runClusters } from './runs/run.ts';

export const clusterModule = {
  name: 'clusters',
  handlers: clusterRouteHandlers,
  jobs: {
    [eraseMemberSetsKind]: { run: eraseMemberSets, backoffSeconds: erasureBackoffSeconds },
    [updateCentroidsKind]: { run: updateCentroids, backoffSeconds: [5, 60, 600] },
    [recomputeCentroidKind]: { run: recomputeCentroid, backoffSeconds: [5, 60, 600] },
    [metricsKind]: { run: computeMetrics, backoffSeconds: [5, 60, 600], queue: 'clusters' },
    [autoRunKind]: { run: autoRun, backoffSeconds: [60] },
    // A failed run reports its error itself and can be started again.
    [runKind]: { run: runClusters, backoffSeconds: [], queue: 'clusters' },
  },
  schedules: [{ kind: autoRunKind, everySeconds: minuteSeconds }],
  checks: [clusterCheck],
  eraseAccount: eraseAccountClusters,
  registerHooks(app) {
    onMemoryChanges.on(app, updateClustersOfMemories);
    beforeHide.on(app, removeMemoriesFromClusters);
    beforeErase.on(app, removeMemoriesFromClusters);
    beforeSpaceRemove.on(app, removeClustersOfSpace);
  },
} satisfies Module;
