import { z } from 'zod';
import {
  checkDespiteOtherIssues,
  cursor,
  customIssueOptions,
  idInput,
  idOutput,
  jsonObjectOutput,
  limitField,
  metadata,
  offsetField,
  pageFields,
  pagination,
  ratio,
  spaceFilter,
  spaceRef,
  storableText,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { listEnvelope } from '../list-envelope.ts';
import { ownerFilters } from '../owners.ts';
import { withSpaceName } from '../space-names.ts';
import { memory } from './memories.ts';

/** Algorithms of clustering runs. */
export const clusterAlgorithms = ['hdbscan', 'bertopic', 'community'] as const;
export const clusterTypes = ['manual', ...clusterAlgorithms] as const;
export type ClusterAlgorithm = (typeof clusterAlgorithms)[number];
export type ClusterType = (typeof clusterTypes)[number];

const name = storableText({ min: 1, max: limits.nameCharactersMax });
const description = storableText({ max: limits.descriptionCharactersMax });
const hex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const color = z
  .string()
  .refine(
    (value) => hex.test(value),
    customIssueOptions('invalid_format', 'must be #rgb or #rrggbb'),
  )
  .meta({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' });

const scores = {
  silhouette_score: z.number().nullable(),
  dbcv_score: z.number().nullable(),
  cohesion_score: z.number().nullable(),
};
const topic = {
  topic_label: z.string().nullable(),
  topic_keywords: z.array(z.string()).nullable(),
};

/** Terms of a cluster by weight, and its representative memories. */
const representation = z
  .object({
    terms: z.array(z.object({ term: z.string(), weight: z.number() })),
    memory_ids: z.array(idOutput),
  })
  .nullable();

const qualityMetrics = z.object({ ...scores, computed_at: timestampOutput.nullable() });
const topicInfo = z.object({ ...topic, representation });

const clusterFields = {
  id: idOutput,
  name: z.string(),
  description: z.string().nullable(),
  space_id: idOutput.nullable(),
  cluster_type: z.enum(clusterTypes),
  color: z.string().nullable(),
  metadata: jsonObjectOutput,
  memory_count: z.int(),
  ...scores,
  ...topic,
  centroid_available: z.boolean(),
  created_at: timestampOutput,
  updated_at: timestampOutput,
};
export const cluster = z.object(clusterFields).meta({ id: 'Cluster' });

const membershipFields = {
  confidence: z.number(),
  added_at: timestampOutput,
};
const clusteredMemory = memory.extend(membershipFields).meta({ id: 'ClusteredMemory' });

/** A cluster with the details that `include` requests. */
const clusterWithDetails = cluster
  .extend({ quality_metrics: qualityMetrics.optional(), topic_info: topicInfo.optional() })
  .meta({ id: 'ClusterWithMore' });

export const clusterDetail = clusterWithDetails
  .extend({
    memories: z.array(clusteredMemory).optional(),
    memories_pagination: z
      .object({ limit: z.int(), offset: z.int(), has_more: z.boolean() })
      .optional(),
  })
  .meta({ id: 'ClusterDetail' });

export const clusterParams = z.strictObject({ clusterId: idInput('other') });
export const clusteredMemoryParams = z.strictObject({ id: idInput('memory') });
export const membershipParams = z.strictObject({
  id: idInput('memory'),
  clusterId: idInput('other'),
});

export const createClusterBody = withSpaceName(
  z.strictObject({
    name,
    description: description.nullable().optional(),
    space_id: spaceRef.optional(),
    color: color.nullable().optional(),
    metadata: metadata.optional(),
  }),
).meta({ id: 'CreateCluster' });

export const patchClusterBody = z
  .strictObject({
    name: name.optional(),
    description: description.nullable().optional(),
    color: color.nullable().optional(),
    metadata: metadata.optional().meta({ description: 'Replaces the stored metadata.' }),
  })
  .meta({ id: 'PatchCluster' });

/** Sort keys of the memories of a cluster. */
const memorySorts = ['added_at', 'confidence', 'created_at', 'updated_at'] as const;
const memoryOrder = {
  offset: offsetField,
  sort: z.enum(memorySorts).default('added_at'),
  order: z.enum(['asc', 'desc']).default('desc'),
};
const pageMax = { max: limits.pageMax };

export const getClusterQuery = z.strictObject({
  include_memories: z.boolean().default(false),
  include: z.array(z.enum(['quality_metrics', 'topic_info'])).optional(),
  limit: limitField({ ...pageMax, fallback: limits.pageDefault }),
  ...memoryOrder,
});

export const clusterMemoriesQuery = z.strictObject({
  ...ownerFilters,
  limit: limitField({ ...pageMax, fallback: limits.clusterPageDefault }),
  ...memoryOrder,
});

export const clusterMemories = listEnvelope(
  z.object({
    cluster_id: idOutput,
    cluster_name: z.string(),
    memories: z.array(clusteredMemory),
    pagination: pagination.extend({
      count: z.int().meta({ description: 'Number of memories on this page.' }),
    }),
  }),
  { records: ['memories'], paging: 'offset' },
);

const colorFilter = z
  .string()
  .refine(
    (value) => hex.test(value.startsWith('#') ? value : `#${value}`),
    customIssueOptions('invalid_format', 'must be #rgb or #rrggbb, with or without the #'),
  )
  .transform((value) => (value.startsWith('#') ? value : `#${value}`))
  .meta({ pattern: '^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' });

export const listClustersQuery = withSpaceName(
  z.strictObject({
    q: storableText({ min: 1, max: limits.searchQueryCharactersMax })
      .optional()
      .meta({ description: 'Text in the name or description, case-insensitive.' }),
    space_id: spaceFilter.optional(),
    cluster_type: z.enum(clusterTypes).optional(),
    has_memories: z.boolean().optional(),
    color: z.array(colorFilter).min(1).max(limits.searchFiltersMax).optional().meta({
      description: 'Comma-separated; matches any of the colors. #abc and #aabbcc are equal.',
    }),
    ...ownerFilters,
    include: z.array(z.enum(['quality_metrics', 'topic_info'])).optional(),
    sort: z
      .enum(['name', 'created_at', 'updated_at', 'memory_count', 'silhouette_score'])
      .default('name')
      .meta({
        description: 'name is case-insensitive; clusters without a score are last in either order.',
      }),
    order: z.enum(['asc', 'desc']).default('asc'),
    limit: limitField({ ...pageMax, fallback: limits.clusterPageDefault }),
    offset: offsetField,
    cursor: cursor
      .optional()
      .meta({ description: 'Cursor of the next page, instead of an offset.' }),
  }),
).refine((query) => query.cursor === undefined || query.offset === 0, {
  path: ['offset'],
  ...checkDespiteOtherIssues,
  ...customIssueOptions('invalid_range', 'must be 0 with a cursor', { max: 0 }),
});

export const clusterPage = listEnvelope(
  z.object({
    data: z.array(clusterWithDetails),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
    pagination,
  }),
  { records: ['data'], paging: 'cursor or offset' },
);

export const addMemoryToClustersBody = z.strictObject({
  cluster_ids: z.array(idInput('other')).min(1).max(limits.clusterIdsMax),
  confidence: ratio.default(1),
});
export const associateMemoryResponse = z.object({
  memory_id: idOutput,
  clusters: z.array(z.object({ cluster_id: idOutput, ...membershipFields })),
});

export const memoryClustersQuery = z.strictObject(pageFields);
export const memoryClusters = listEnvelope(
  z.object({
    memory_id: idOutput,
    data: z.array(cluster.extend(membershipFields).meta({ id: 'ClusterOfMemory' })),
    pagination,
  }),
  { records: ['data'], paging: 'offset' },
);

export const mergeClustersBody = z.strictObject({
  source_ids: z.array(idInput('other')).min(1).max(limits.clusterIdsMax),
});

export const clusterStatsQuery = z.strictObject({
  include: z.array(z.enum(['color_distribution'])).optional(),
});
export const clusterStats = z
  .object({
    total: z.int(),
    by_type: z.object({
      manual: z.int(),
      hdbscan: z.int(),
      bertopic: z.int(),
      community: z.int(),
    }),
    empty: z.int(),
    memberships: z.int().meta({ description: 'Sum of the memory counts of all clusters.' }),
    average_memory_count: z.number(),
    clustered_memories: z
      .int()
      .meta({ description: 'Number of memories in at least one cluster.' }),
    unclustered_memories: z.int(),
    color_distribution: z
      .array(z.object({ color: z.string().nullable(), count: z.int() }))
      .optional(),
  })
  .meta({ id: 'ClusterStats' });

export const clusterQuality = qualityMetrics.extend({ cluster_id: idOutput });
export const clusterTopics = topicInfo.extend({ cluster_id: idOutput });

export const clusterJob = z.object({
  status: z.literal('queued'),
  job_id: idOutput,
  cluster_id: idOutput,
  message: z.string(),
});

/** Data of the event cluster.merged. */
export const mergedCluster = cluster.extend({ source_ids: z.array(idOutput) });

export type Cluster = z.output<typeof cluster>;
export type ClusterDetail = z.output<typeof clusterDetail>;
export type ClusteredMemory = z.output<typeof clusteredMemory>;
