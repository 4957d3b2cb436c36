import { limits } from '../limits.ts';
import { defineRoute } from '../route.ts';
import { sampleAt, sampleCluster, sampleMemory } from '../samples.ts';
import * as s from '../schemas/clusters.ts';

const read = { access: 'clusters:read' } as const;
const write = { access: 'clusters:write' } as const;
/** What every route that reaches one cluster shares. */
const one = { params: s.clusterParams, notFound: 'cluster_not_found' } as const;
const params = { clusterId: sampleCluster.id };
const reach = ['space_access_denied'] as const;
const spaceErrors = ['space_not_found', 'space_access_denied'] as const;

const joined = { confidence: 1, added_at: sampleAt };
const member = { ...sampleMemory, ...joined };
const filled = { ...sampleCluster, memory_count: 1, centroid_available: true };
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
    body: s.createCluster,
    answers: { 201: s.cluster },
    idempotent: true,
    etag: true,
    errors: ['conflict', ...spaceErrors],
    example: {
      body: { name: 'Brewing methods', description: sampleCluster.description, color: '#8b5a2b' },
      answer: { ...sampleCluster, name: 'Brewing methods' },
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
    answers: { 200: s.clusterPage },
    errors: [...spaceErrors],
    example: {
      query: { q: 'drinks', sort: 'memory_count', order: 'desc' },
      answer: {
        data: [filled],
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
    ...one,
    query: s.getClusterQuery,
    answers: { 200: s.clusterDetail },
    etag: true,
    errors: reach,
    example: {
      params,
      query: { include_memories: true, include: ['quality_metrics'] },
      answer: {
        ...filled,
        quality_metrics: metrics,
        memories: [member],
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
    ...one,
    body: s.patchCluster,
    answers: { 200: s.cluster },
    etag: true,
    errors: [...reach, 'conflict', 'precondition_failed'],
    example: { params, body: { color: '#333' }, answer: { ...filled, color: '#333' } },
  }),
  remove: defineRoute({
    id: 'clusters.remove',
    method: 'DELETE',
    path: '/clusters/:clusterId',
    summary: 'Remove a cluster; its memories stay',
    ...write,
    ...one,
    answers: { 204: null },
    etag: true,
    errors: [...reach, 'precondition_failed'],
    example: { params, answer: null },
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
    ...one,
    body: s.mergeClusters,
    answers: { 200: s.cluster },
    idempotent: true,
    errors: [...reach],
    example: {
      params,
      body: { source_ids: ['019b8d1c-3a54-7e50-8f5a-415162738495'] },
      answer: filled,
    },
  }),
  memories: defineRoute({
    id: 'clusters.memories',
    method: 'GET',
    path: '/clusters/:clusterId/memories',
    summary: 'List the memories of a cluster',
    ...read,
    withContent: true,
    ...one,
    query: s.clusterMemoriesQuery,
    answers: { 200: s.clusterMemories },
    errors: reach,
    example: {
      params,
      answer: {
        cluster_id: sampleCluster.id,
        cluster_name: sampleCluster.name,
        memories: [member],
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
    params: s.clusteredParams,
    notFound: 'memory_not_found',
    body: s.associateMemory,
    answers: { 201: s.associated },
    idempotent: true,
    errors: [...reach, 'cluster_not_found', 'conflict', 'quota_exceeded'],
    example: {
      params: { id: sampleMemory.id },
      body: { cluster_ids: [sampleCluster.id] },
      answer: {
        memory_id: sampleMemory.id,
        clusters: [{ cluster_id: sampleCluster.id, ...joined }],
      },
    },
  }),
  ofMemory: defineRoute({
    id: 'clusters.ofMemory',
    method: 'GET',
    path: '/memories/:id/clusters',
    summary: 'List the clusters of a memory, by name',
    ...read,
    params: s.clusteredParams,
    notFound: 'memory_not_found',
    query: s.memoryClustersQuery,
    answers: { 200: s.memoryClusters },
    errors: reach,
    example: {
      params: { id: sampleMemory.id },
      answer: {
        memory_id: sampleMemory.id,
        data: [{ ...filled, ...joined }],
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
    answers: { 204: null },
    errors: [...reach, 'memory_not_found'],
    example: { params: { id: sampleMemory.id, ...params }, answer: null },
  }),
} as const;
