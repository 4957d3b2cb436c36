import {
  beforeMemoriesErase,
  beforeMemoriesHide,
  beforeVectorsReplace,
  onMemoryChanges,
} from '../memories/index.ts';
import { erasureBackoffSeconds, type Module, minuteSeconds } from '../module.ts';
import { beforeSpaceRemove } from '../spaces/index.ts';
import {
  recomputeCentroid,
  recomputeCentroidKind,
  updateCentroids,
  updateCentroidsKind,
} from './centroid-update.ts';
import { clusterCheck } from './checks.ts';
import { placeMemories, placeMemoriesKind } from './map/place.ts';
import { eraseMapPoints, eraseMapsKind } from './map/stage.ts';
import {
  refreshVectorsInClusters,
  removeMemoriesFromClusters,
  updateClustersOfMemories,
} from './memory-changes.ts';
import {
  eraseAccountClusters,
  eraseMemberSets,
  eraseMemberSetsKind,
  removeClustersOfSpace,
} from './remove.ts';
import { clusterRouteHandlers } from './routes.ts';
import { queueAutomaticRuns, queueAutomaticRunsKind } from './runs/automatic-runs.ts';
import { computeClusterMetrics, metricsKind } from './runs/metrics.ts';
import { clusterRunJobKind } from './runs/queue.ts';
import { executeClusterRun } from './runs/run.ts';

export const clusterModule = {
  name: 'clusters',
  handlers: clusterRouteHandlers,
  jobs: {
    [eraseMemberSetsKind]: { run: eraseMemberSets, backoffSeconds: erasureBackoffSeconds },
    [eraseMapsKind]: { run: eraseMapPoints, backoffSeconds: erasureBackoffSeconds },
    [placeMemoriesKind]: { run: placeMemories, backoffSeconds: [5, 60, 600] },
    [updateCentroidsKind]: { run: updateCentroids, backoffSeconds: [5, 60, 600] },
    [recomputeCentroidKind]: { run: recomputeCentroid, backoffSeconds: [5, 60, 600] },
    [metricsKind]: { run: computeClusterMetrics, backoffSeconds: [5, 60, 600], queue: 'clusters' },
    [queueAutomaticRunsKind]: { run: queueAutomaticRuns, backoffSeconds: [60] },
    // A failed run reports its error itself and can be started again.
    [clusterRunJobKind]: {
      run: executeClusterRun,
      restartedBy: 'POST /clusters/full or POST /clusters/incremental',
      backoffSeconds: [],
      queue: 'clusters',
    },
  },
  schedules: [{ kind: queueAutomaticRunsKind, everySeconds: minuteSeconds }],
  checks: [clusterCheck],
  eraseAccount: eraseAccountClusters,
  registerHooks(app) {
    onMemoryChanges.on(app, updateClustersOfMemories);
    beforeMemoriesHide.on(app, removeMemoriesFromClusters);
    beforeMemoriesErase.on(app, removeMemoriesFromClusters);
    beforeVectorsReplace.on(app, refreshVectorsInClusters);
    beforeSpaceRemove.on(app, removeClustersOfSpace);
  },
} satisfies Module;
