import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { associate, dissociate } from './associate.ts';
import { createCluster } from './create.ts';
import { listClusters } from './list.ts';
import { mergeClusters } from './merge.ts';
import {
  clusterQuality,
  clusterTopics,
  getCluster,
  listClusterMemories,
  listClustersOfMemory,
} from './read.ts';
import { removeCluster } from './remove.ts';
import { queueCentroid, queueMetrics } from './runs/metrics.ts';
import { queueFull, queueIncremental } from './runs/queue.ts';
import { clusterStatus, listClusterRuns } from './runs/read.ts';
import { changeSettings, readSettings } from './settings.ts';
import { clusterStats } from './stats.ts';
import { updateCluster } from './update.ts';

const { clusters } = routes;

export const clusterRouteHandlers = [
  createHandler(clusters.create, (ctx, { body }) => createCluster(ctx, body)),
  createHandler(clusters.list, (ctx, { query }) => listClusters(ctx, query)),
  createHandler(clusters.stats, (ctx, { query }) => clusterStats(ctx, query)),
  createHandler(clusters.config, (ctx) => readSettings(ctx)),
  createHandler(clusters.configure, (ctx, { body }) => changeSettings(ctx, body)),
  createHandler(clusters.status, (ctx) => clusterStatus(ctx)),
  createHandler(clusters.runs, (ctx, { query }) => listClusterRuns(ctx, query)),
  createHandler(clusters.full, (ctx, { body }) => queueFull(ctx, body)),
  createHandler(clusters.incremental, (ctx, { body }) => queueIncremental(ctx, body)),
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
  createHandler(clusters.quality, (ctx, { params }) => clusterQuality(ctx, params.clusterId)),
  createHandler(clusters.topics, (ctx, { params }) => clusterTopics(ctx, params.clusterId)),
  createHandler(clusters.refreshMetrics, (ctx, { params }) => queueMetrics(ctx, params.clusterId)),
  createHandler(clusters.recomputeCentroid, (ctx, { params }) =>
    queueCentroid(ctx, params.clusterId),
  ),
  createHandler(clusters.associate, (ctx, { params, body }) => associate(ctx, params.id, body)),
  createHandler(clusters.ofMemory, (ctx, { params, query }) =>
    listClustersOfMemory(ctx, params.id, query),
  ),
  createHandler(clusters.dissociate, (ctx, { params }) =>
    dissociate(ctx, params.id, params.clusterId),
  ),
];
