import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleCluster, sampleMemory, sampleTimestamp } from '../samples.ts';
import * as s from '../schemas/clusters.ts';

const read = { access: 'clusters:read' } as const;
const write = { access: 'clusters:write' } as const;
/** What every route that reaches one cluster shares. */
const clusterRoute = { params: s.clusterParams, notFound: 'cluster_not_found' } as const;
const params = { clusterId: sampleCluster.id };
const accessErrors = ['space_access_denied'] as const;
const spaceErrors = ['space_not_found', 'space_access_denied'] as const;

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
    summary: 'Make a cluster',
    description:
      'Its name is unique in its space, or among account-wide clusters, in any letter case. A ' +
      'cluster of a space takes memories of that space, an account-wide one those of any.',
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
    description: 'By offset, or by cursor, which others who write do not disturb.',
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
    summary: 'Read a cluster, with its memories where they are asked for',
    description: 'include_memories needs the scope memories:read as well.',
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
    summary: 'Change a cluster; metadata replaces what was there',
    description: 'A name that is given to an automatic cluster stays as long as runs keep it.',
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
    summary: 'Remove a cluster; its memories stay',
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
    summary: 'Take in other clusters, which are removed',
    description:
      'A memory of several keeps its greatest confidence and its earliest added_at. A cluster of ' +
      'a space takes in clusters of that space alone.',
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
    summary: 'Put a memory in clusters, in all or in none',
    description:
      'Where it is in one already it stays; another confidence takes the place of the former. By ' +
      `hand a memory can be put in ${limits.clustersPerMemoryMax} clusters.`,
    ...write,
    params: s.clusteredMemoryParams,
    notFound: 'memory_not_found',
    body: s.associateMemoryBody,
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
    summary: 'Take a memory out of a cluster',
    ...write,
    params: s.membershipParams,
    notFound: 'cluster_not_found',
    responses: { 204: null },
    errors: [...accessErrors, 'memory_not_found'],
    example: { params: { id: sampleMemory.id, ...params }, response: null },
  }),
} as const;
