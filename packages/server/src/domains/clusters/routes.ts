import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
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
import { queueCentroid, refreshMetrics } from './runs/metrics.ts';
import { queueFull, queueIncremental } from './runs/queue.ts';
import { clusterStatus, listClusterRuns } from './runs/read.ts';
import { changeSettings, readSettings } from './settings.ts';
import { clusterStats } from './stats.ts';
import { updateCluster } from './update.ts';

const { clusters } = routes;

export const clusterHandlers = [
  handle(clusters.create, (ctx, { body }) => createCluster(ctx, body)),
  handle(clusters.list, (ctx, { query }) => listClusters(ctx, query)),
  handle(clusters.stats, (ctx, { query }) => clusterStats(ctx, query)),
  handle(clusters.config, (ctx) => readSettings(ctx)),
  handle(clusters.configure, (ctx, { body }) => changeSettings(ctx, body)),
  handle(clusters.status, (ctx) => clusterStatus(ctx)),
  handle(clusters.runs, (ctx, { query }) => listClusterRuns(ctx, query)),
  handle(clusters.full, (ctx, { body }) => queueFull(ctx, body)),
  handle(clusters.incremental, (ctx, { body }) => queueIncremental(ctx, body)),
  handle(clusters.get, (ctx, { params, query }) => getCluster(ctx, params.clusterId, query)),
  handle(clusters.update, (ctx, { params, body, ifMatch }) =>
    updateCluster(ctx, params.clusterId, body, ifMatch),
  ),
  handle(clusters.remove, (ctx, { params, ifMatch }) =>
    removeCluster(ctx, params.clusterId, ifMatch),
  ),
  handle(clusters.merge, (ctx, { params, body }) => mergeClusters(ctx, params.clusterId, body)),
  handle(clusters.memories, (ctx, { params, query }) =>
    listClusterMemories(ctx, params.clusterId, query),
  ),
  handle(clusters.quality, (ctx, { params }) => clusterQuality(ctx, params.clusterId)),
  handle(clusters.topics, (ctx, { params }) => clusterTopics(ctx, params.clusterId)),
  handle(clusters.refreshMetrics, (ctx, { params }) => refreshMetrics(ctx, params.clusterId)),
  handle(clusters.recomputeCentroid, (ctx, { params }) => queueCentroid(ctx, params.clusterId)),
  handle(clusters.associate, (ctx, { params, body }) => associate(ctx, params.id, body)),
  handle(clusters.ofMemory, (ctx, { params, query }) =>
    listClustersOfMemory(ctx, params.id, query),
  ),
  handle(clusters.dissociate, (ctx, { params }) => dissociate(ctx, params.id, params.clusterId)),
];
