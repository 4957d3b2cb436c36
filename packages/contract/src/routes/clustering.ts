import { defineRoute } from '../route.ts';
import { sampleMemory, sampleRun } from '../samples.ts';
import * as s from '../schemas/clustering.ts';

const read = { access: 'clusters:read' } as const;
const write = { access: 'clusters:write' } as const;
const accessErrors = ['space_access_denied'] as const;
const spaceErrors = ['space_not_found', 'space_access_denied'] as const;
const job = { status: 'queued', job_id: sampleRun.id } as const;
const config = { algorithm: 'hdbscan', min_cluster_size: 5, auto_enabled: false } as const;

/** Clustering runs and their configuration. */
export const clusteringRoutes = {
  full: defineRoute({
    id: 'clusters.full',
    method: 'POST',
    path: '/clusters/full',
    summary: 'Start a full clustering run, as a job',
    description:
      'Clusters all memories of the space that are in no manual cluster; without a space, the ' +
      'memories of all spaces, for keys without space limits. Replaces the result of earlier ' +
      'runs in the same scope; a cluster whose members mostly stay keeps its id. The algorithm ' +
      'and the size default to the configuration.',
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
    summary: 'Assign memories to existing automatic clusters, as a job',
    description:
      'Assigns each memory to the nearest centroid if their cosine, which becomes the ' +
      'confidence, is 0.6 or more. Other memories stay unassigned.',
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
    summary: 'Read the latest run and the totals',
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
    summary: 'List clustering runs, newest first',
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
    summary: 'Read the clustering configuration',
    ...read,
    responses: { 200: s.clusterConfig },
    errors: [],
    example: { response: config },
  }),
  configure: defineRoute({
    id: 'clusters.configure',
    method: 'POST',
    path: '/clusters/config',
    summary: 'Change the clustering configuration',
    description:
      'With auto_enabled, new memories are assigned automatically, and a full run starts when ' +
      'the share of unassigned memories has grown. Keys that are limited to spaces are rejected.',
    ...write,
    body: s.patchClusterConfigBody,
    responses: { 200: s.clusterConfig },
    errors: accessErrors,
    example: { body: { min_cluster_size: 8 }, response: { ...config, min_cluster_size: 8 } },
  }),
} as const;
