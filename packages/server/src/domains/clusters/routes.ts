import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { associateMemory, dissociateMemory } from './associate.ts';
import { createCluster } from './create.ts';
import { listClusters } from './list.ts';
import { getClusterMap } from './map/read.ts';
import { mergeClusters } from './merge.ts';
import {
  getCluster,
  getClusterQuality,
  getClusterTopics,
  listClusterMemories,
  listClustersOfMemory,
} from './read.ts';
import { removeCluster } from './remove.ts';
import { queueCentroidJob, queueMetricsJob } from './runs/metrics.ts';
import { queueFullRun, queueIncrementalRun } from './runs/queue.ts';
import { getClusteringStatus, listClusterRuns } from './runs/read.ts';
import { changeClusterSettings, readClusterSettings } from './settings.ts';
import { getClusterStats } from './stats.ts';
import { updateCluster } from './update.ts';

const { clusters } = routes;

export const clusterRouteHandlers = [
  createHandler(clusters.create, (ctx, { body }) => createCluster(ctx, body)),
  createHandler(clusters.list, (ctx, { query }) => listClusters(ctx, query)),
  createHandler(clusters.stats, (ctx, { query }) => getClusterStats(ctx, query)),
  createHandler(clusters.config, (ctx) => readClusterSettings(ctx)),
  createHandler(clusters.configure, (ctx, { body }) => changeClusterSettings(ctx, body)),
  createHandler(clusters.status, (ctx) => getClusteringStatus(ctx)),
  createHandler(clusters.runs, (ctx, { query }) => listClusterRuns(ctx, query)),
  createHandler(clusters.map, (ctx, { query, acceptsBinary }) =>
    getClusterMap(ctx, query, acceptsBinary),
  ),
  createHandler(clusters.full, (ctx, { body }) => queueFullRun(ctx, body)),
  createHandler(clusters.incremental, (ctx, { body }) => queueIncrementalRun(ctx, body)),
  createHandler(clusters.get, (ctx, { params, query }) => getCluster(ctx, params.clusterId, query)),
  createHandler(clusters.update, (ctx, { params, body, ifMatch }) =>
    updateCluster(ctx, params.clusterId, body, ifMatch),
  ),
  createHandler(clusters.remove, (ctx, { params, ifMatch }) =>
    removeCluster(ctx, params.clusterId, ifMatch),
  ),
  createHandler(clusters.merge, (ctx, { params, body }) =>
    mergeClusters(ctx, params.clusterId, body),
  ),
  createHandler(clusters.memories, (ctx, { params, query }) =>
    listClusterMemories(ctx, params.clusterId, query),
  ),
  createHandler(clusters.quality, (ctx, { params }) => getClusterQuality(ctx, params.clusterId)),
  createHandler(clusters.topics, (ctx, { params }) => getClusterTopics(ctx, params.clusterId)),
  createHandler(clusters.refreshMetrics, (ctx, { params }) =>
    queueMetricsJob(ctx, params.clusterId),
  ),
  createHandler(clusters.recomputeCentroid, (ctx, { params }) =>
    queueCentroidJob(ctx, params.clusterId),
  ),
  createHandler(clusters.associate, (ctx, { params, body }) =>
    associateMemory(ctx, params.id, body),
  ),
  createHandler(clusters.ofMemory, (ctx, { params, query }) =>
    listClustersOfMemory(ctx, params.id, query),
  ),
  createHandler(clusters.dissociate, (ctx, { params }) =>
    dissociateMemory(ctx, params.id, params.clusterId),
  ),
];
