import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleCluster, sampleMemory, sampleRun, sampleTimestamp } from '../samples.ts';
import * as s from '../schemas/clusters.ts';

const read = { access: 'clusters:read' } as const;
const write = { access: 'clusters:write' } as const;
/** Fields of all routes of a single cluster. */
const clusterRoute = { params: s.clusterParams, notFound: 'cluster_not_found' } as const;
const params = { clusterId: sampleCluster.id };
const accessErrors = ['space_access_denied'] as const;
const spaceErrors = ['space_not_found', 'space_access_denied'] as const;
const job = { status: 'queued', job_id: sampleRun.id } as const;

const sampleMembership = { confidence: 1, added_at: sampleTimestamp };
const sampleClusteredMemory = { ...sampleMemory, ...sampleMembership };
const sampleFilledCluster = { ...sampleCluster, memory_count: 1, centroid_available: true };
const metrics = {
  silhouette_score: null,
  dbcv_score: null,
  cohesion_score: null,
  computed_at: null,
};

export const clusterRoutes = {
  create: defineRoute({
    id: 'clusters.create',
    method: 'POST',
    path: '/clusters',
    summary: 'Create a cluster',
    description:
      'The name is unique in its space, or among account-wide clusters, case-insensitively. A ' +
      'cluster of a space accepts memories of that space, an account-wide cluster memories of ' +
      'any space.',
    ...write,
    body: s.createClusterBody,
    responses: { 201: s.cluster },
    idempotent: true,
    etag: true,
    errors: ['conflict', ...spaceErrors],
    example: {
      body: { name: 'Brewing methods', description: sampleCluster.description, color: '#8b5a2b' },
      response: { ...sampleCluster, name: 'Brewing methods' },
    },
  }),
  list: defineRoute({
    id: 'clusters.list',
    method: 'GET',
    path: '/clusters',
    summary: 'List clusters',
    description: 'Paginated by offset, or by cursor, which is stable while others write.',
    ...read,
    query: s.listClustersQuery,
    responses: { 200: s.clusterPage },
    errors: [...spaceErrors],
    example: {
      query: { q: 'drinks', sort: 'memory_count', order: 'desc' },
      response: {
        data: [sampleFilledCluster],
        has_more: false,
        next_cursor: null,
        pagination: { total: 1, limit: 50, offset: 0, has_more: false },
      },
    },
  }),
  get: defineRoute({
    id: 'clusters.get',
    method: 'GET',
    path: '/clusters/:clusterId',
    summary: 'Read a cluster, optionally with its memories',
    description: 'include_memories also requires the scope memories:read.',
    ...read,
    ...clusterRoute,
    query: s.getClusterQuery,
    responses: { 200: s.clusterDetail },
    etag: true,
    errors: accessErrors,
    example: {
      params,
      query: { include_memories: true, include: ['quality_metrics'] },
      response: {
        ...sampleFilledCluster,
        quality_metrics: metrics,
        memories: [sampleClusteredMemory],
        memories_pagination: { limit: 20, offset: 0, has_more: false },
      },
    },
  }),
  update: defineRoute({
    id: 'clusters.update',
    method: 'PATCH',
    path: '/clusters/:clusterId',
    summary: 'Change a cluster; metadata is replaced',
    description: 'An automatic cluster keeps the name for as long as runs keep the cluster.',
    ...write,
    ...clusterRoute,
    body: s.patchClusterBody,
    responses: { 200: s.cluster },
    etag: true,
    errors: [...accessErrors, 'conflict', 'precondition_failed'],
    example: {
      params,
      body: { color: '#333' },
      response: { ...sampleFilledCluster, color: '#333' },
    },
  }),
  remove: defineRoute({
    id: 'clusters.remove',
    method: 'DELETE',
    path: '/clusters/:clusterId',
    summary: 'Delete a cluster; its memories stay',
    ...write,
    ...clusterRoute,
    responses: { 204: null },
    etag: true,
    errors: [...accessErrors, 'precondition_failed'],
    example: { params, response: null },
  }),
  merge: defineRoute({
    id: 'clusters.merge',
    method: 'POST',
    path: '/clusters/:clusterId/merge',
    summary: 'Merge other clusters into this one',
    description:
      'The other clusters are deleted. A memory in several clusters keeps its highest confidence ' +
      'and its earliest added_at. A cluster of a space accepts only clusters of that space.',
    ...write,
    ...clusterRoute,
    body: s.mergeClustersBody,
    responses: { 200: s.cluster },
    idempotent: true,
    errors: [...accessErrors],
    example: {
      params,
      body: { source_ids: ['019b8d1c-3a54-7e50-8f5a-415162738495'] },
      response: sampleFilledCluster,
    },
  }),
  memories: defineRoute({
    id: 'clusters.memories',
    method: 'GET',
    path: '/clusters/:clusterId/memories',
    summary: 'List the memories of a cluster',
    ...read,
    requiresContentScope: true,
    ...clusterRoute,
    query: s.clusterMemoriesQuery,
    responses: { 200: s.clusterMemories },
    errors: accessErrors,
    example: {
      params,
      response: {
        cluster_id: sampleCluster.id,
        cluster_name: sampleCluster.name,
        memories: [sampleClusteredMemory],
        pagination: { total: 1, limit: 50, offset: 0, count: 1, has_more: false },
      },
    },
  }),
  associate: defineRoute({
    id: 'clusters.associate',
    method: 'POST',
    path: '/memories/:id/clusters',
    summary: 'Add a memory to clusters, all or none',
    description:
      'For existing memberships, the confidence is updated. A memory can be added manually to at ' +
      `most ${limits.clustersPerMemoryMax} clusters.`,
    ...write,
    params: s.clusteredMemoryParams,
    notFound: 'memory_not_found',
    body: s.addMemoryToClustersBody,
    responses: { 201: s.associateMemoryResponse },
    idempotent: true,
    errors: [...accessErrors, 'cluster_not_found', 'conflict', 'quota_exceeded'],
    example: {
      params: { id: sampleMemory.id },
      body: { cluster_ids: [sampleCluster.id] },
      response: {
        memory_id: sampleMemory.id,
        clusters: [{ cluster_id: sampleCluster.id, ...sampleMembership }],
      },
    },
  }),
  ofMemory: defineRoute({
    id: 'clusters.ofMemory',
    method: 'GET',
    path: '/memories/:id/clusters',
    summary: 'List the clusters of a memory, by name',
    ...read,
    params: s.clusteredMemoryParams,
    notFound: 'memory_not_found',
    query: s.memoryClustersQuery,
    responses: { 200: s.memoryClusters },
    errors: accessErrors,
    example: {
      params: { id: sampleMemory.id },
      response: {
        memory_id: sampleMemory.id,
        data: [{ ...sampleFilledCluster, ...sampleMembership }],
        pagination: { total: 1, limit: 20, offset: 0, has_more: false },
      },
    },
  }),
  dissociate: defineRoute({
    id: 'clusters.dissociate',
    method: 'DELETE',
    path: '/memories/:id/clusters/:clusterId',
    summary: 'Remove a memory from a cluster',
    ...write,
    params: s.membershipParams,
    notFound: 'cluster_not_found',
    responses: { 204: null },
    errors: [...accessErrors, 'memory_not_found'],
    example: { params: { id: sampleMemory.id, ...params }, response: null },
  }),
  stats: defineRoute({
    id: 'clusters.stats',
    method: 'GET',
    path: '/clusters/stats',
    summary: 'Count clusters and their memories',
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
    summary: 'Read the quality metrics of a cluster',
    description:
      'Computed from the embeddings: silhouette and DBCV relative to the other clusters in its ' +
      'scope, and the mean cosine to the centroid. Null until a run or a request computes them.',
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
    summary: 'Read the topics of a cluster',
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
    summary: 'Recompute the quality metrics of a cluster, as a job',
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
    summary: 'Recompute the centroid of a cluster, as a job',
    description: 'Normally not needed: the service updates the centroid with every change.',
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
} as const;
