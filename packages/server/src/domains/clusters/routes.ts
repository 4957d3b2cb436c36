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
  handle(clusters.associate, (ctx, { params, body }) => associate(ctx, params.id, body)),
  handle(clusters.ofMemory, (ctx, { params, query }) =>
    listClustersOfMemory(ctx, params.id, query),
  ),
  handle(clusters.dissociate, (ctx, { params }) => dissociate(ctx, params.id, params.clusterId)),
];
