import { defineRoute } from '../route.ts';
import { sampleCluster, sampleMemory, sampleRun } from '../samples.ts';
import * as s from '../schemas/clusters.ts';

const read = { access: 'clusters:read' } as const;
const write = { access: 'clusters:write' } as const;
const clusterRoute = { params: s.clusterParams, notFound: 'cluster_not_found' } as const;
const params = { clusterId: sampleCluster.id };
const accessErrors = ['space_access_denied'] as const;
const spaceErrors = ['space_not_found', 'space_access_denied'] as const;
const job = { status: 'queued', job_id: sampleRun.id } as const;
const config = { algorithm: 'hdbscan', min_cluster_size: 5, auto_enabled: false } as const;

/** Statistics, quality, and the runs that find clusters. */
export const clusteringRoutes = {
  stats: defineRoute({
    id: 'clusters.stats',
    method: 'GET',
    path: '/clusters/stats',
    summary: 'Count clusters and what is in them',
    ...read,
    query: s.clusterStatsQuery,
    responses: { 200: s.clusterStats },
    errors: [],
    example: {
      query: { include: ['color_distribution'] },
      response: {
        total: 1,
        by_type: { manual: 1, hdbscan: 0, bertopic: 0, community: 0 },
        empty: 0,
        memberships: 1,
        average_memory_count: 1,
        clustered_memories: 1,
        unclustered_memories: 1,
        color_distribution: [{ color: sampleCluster.color, count: 1 }],
      },
    },
  }),
  quality: defineRoute({
    id: 'clusters.quality',
    method: 'GET',
    path: '/clusters/:clusterId/quality',
    summary: 'Read how well a cluster holds together',
    description:
      'Of the embeddings: the silhouette and DBCV beside the other clusters of its scope, and ' +
      'the mean cosine to the centroid. Null until they are computed: by a run, or when asked for.',
    ...read,
    ...clusterRoute,
    responses: { 200: s.clusterQuality },
    errors: accessErrors,
    example: {
      params,
      response: {
        cluster_id: sampleCluster.id,
        silhouette_score: null,
        dbcv_score: null,
        cohesion_score: null,
        computed_at: null,
      },
    },
  }),
  topics: defineRoute({
    id: 'clusters.topics',
    method: 'GET',
    path: '/clusters/:clusterId/topics',
    summary: 'Read what a cluster is about',
    ...read,
    ...clusterRoute,
    responses: { 200: s.clusterTopics },
    errors: accessErrors,
    example: {
      params,
      response: {
        cluster_id: sampleCluster.id,
        topic_label: null,
        topic_keywords: null,
        representation: null,
      },
    },
  }),
  refreshMetrics: defineRoute({
    id: 'clusters.refreshMetrics',
    method: 'POST',
    path: '/clusters/:clusterId/refresh-metrics',
    summary: 'Compute the quality of a cluster anew, as a job',
    ...write,
    ...clusterRoute,
    responses: { 202: s.clusterJob },
    idempotent: true,
    errors: accessErrors,
    example: {
      params,
      response: { ...job, cluster_id: sampleCluster.id, message: 'The metrics will be computed.' },
    },
  }),
  recomputeCentroid: defineRoute({
    id: 'clusters.recomputeCentroid',
    method: 'POST',
    path: '/clusters/:clusterId/recompute-centroid',
    summary: 'Compute the centroid of a cluster anew, as a job',
    description: 'It is kept up to date without that.',
    ...write,
    ...clusterRoute,
    responses: { 202: s.clusterJob },
    idempotent: true,
    errors: accessErrors,
    example: {
      params,
      response: { ...job, cluster_id: sampleCluster.id, message: 'The centroid will be computed.' },
    },
  }),
  full: defineRoute({
    id: 'clusters.full',
    method: 'POST',
    path: '/clusters/full',
    summary: 'Find clusters anew, as a job',
    description:
      'Of all memories of the space that are in no manual cluster; without a space of those of ' +
      'every space, for a key that is limited to none. What earlier runs of the scope found is ' +
      'replaced; a cluster that mostly stays keeps its id. Algorithm and size are those of the ' +
      'configuration unless told.',
    ...write,
    body: s.fullRunBody,
    bodyOptional: true,
    responses: { 202: s.queuedClusterRun },
    idempotent: true,
    errors: ['conflict', ...spaceErrors],
    example: {
      body: { algorithm: 'hdbscan' },
      response: {
        ...job,
        message: 'A full clustering run is queued.',
        params: { space_id: null, memory_count: 2, algorithm: 'hdbscan', min_cluster_size: 5 },
      },
    },
  }),
  incremental: defineRoute({
    id: 'clusters.incremental',
    method: 'POST',
    path: '/clusters/incremental',
    summary: 'Assign memories to the clusters that runs have found, as a job',
    description:
      'To the nearest centroid, where the cosine is .6 or more, which is the confidence; the ' +
      'others stay in none.',
    ...write,
    body: s.incrementalRunBody,
    bodyOptional: true,
    responses: { 202: s.queuedClusterRun },
    idempotent: true,
    errors: ['conflict', 'memory_not_found', ...spaceErrors],
    example: {
      body: { memory_ids: [sampleMemory.id] },
      response: {
        ...job,
        message: 'An incremental clustering run is queued.',
        params: { space_id: null, memory_count: 1 },
      },
    },
  }),
  status: defineRoute({
    id: 'clusters.status',
    method: 'GET',
    path: '/clusters/status',
    summary: 'Read the most recent run, and what is clustered',
    ...read,
    responses: { 200: s.clusterStatus },
    errors: [],
    example: {
      response: {
        run: null,
        totals: {
          clusters: 1,
          manual_clusters: 1,
          automatic_clusters: 0,
          memories: 2,
          clustered_memories: 1,
          unclustered_memories: 1,
        },
      },
    },
  }),
  runs: defineRoute({
    id: 'clusters.runs',
    method: 'GET',
    path: '/clusters/runs',
    summary: 'List runs, newest first',
    ...read,
    query: s.clusterRunsQuery,
    responses: { 200: s.clusterRunPage },
    errors: [...spaceErrors],
    example: {
      query: { status: 'completed' },
      response: {
        data: [sampleRun],
        pagination: { total: 1, limit: 20, offset: 0, has_more: false },
      },
    },
  }),
  config: defineRoute({
    id: 'clusters.config',
    method: 'GET',
    path: '/clusters/config',
    summary: 'Read how clusters are found',
    ...read,
    responses: { 200: s.clusterConfig },
    errors: [],
    example: { response: config },
  }),
  configure: defineRoute({
    id: 'clusters.configure',
    method: 'POST',
    path: '/clusters/config',
    summary: 'Change how clusters are found',
    description:
      'With auto_enabled new memories are assigned by themselves, and clusters are found anew ' +
      'when the share of memories in none has grown. A key that is limited to spaces is refused.',
    ...write,
    body: s.patchClusterConfigBody,
    responses: { 200: s.clusterConfig },
    errors: accessErrors,
    example: { body: { min_cluster_size: 8 }, response: { ...config, min_cluster_size: 8 } },
  }),
} as const;
