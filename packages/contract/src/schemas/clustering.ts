import { z } from 'zod';
import { withCanonicalNames } from '../aliases.ts';
import { withCanonicalFields } from '../canonical-fields.ts';
import {
  idInput,
  idOutput,
  integer,
  pageFields,
  spaceFilter,
  spaceRef,
  timestampOutput,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { offsetPage } from '../list-envelope.ts';
import { withSpaceName } from '../space-names.ts';
import { clusterAlgorithms } from './clusters.ts';
import { jobStatuses } from './jobs.ts';

const scope = {
  space_id: spaceRef.optional(),
  team_space_id: spaceRef.optional(),
};
const scopeIds = Object.keys(scope);
const scopeAliases = { space_id: 'team_space_id' };

const minClusterSize = integer({
  min: limits.minClusterSizeMin,
  max: limits.minClusterSizeMax,
});

export const fullRunBody = withSpaceName(
  withCanonicalNames(
    z.strictObject({
      ...scope,
      algorithm: z.enum(clusterAlgorithms).optional(),
      min_cluster_size: minClusterSize.optional(),
    }),
    scopeAliases,
  ),
  scopeIds,
);
export const incrementalRunBody = withSpaceName(
  withCanonicalNames(
    z.strictObject({
      ...scope,
      memory_ids: z
        .array(idInput('memory'))
        .min(1)
        .max(limits.incrementalRunIdsMax)
        .optional()
        .meta({ description: 'Memories to assign; default: all that are in no cluster.' }),
    }),
    scopeAliases,
  ),
  scopeIds,
);

export const queuedClusterRun = z.object({
  status: z.literal('queued'),
  job_id: idOutput,
  message: z.string(),
  params: z.object({
    space_id: idOutput.nullable(),
    memory_count: z.int(),
    algorithm: z.enum(clusterAlgorithms).optional(),
    min_cluster_size: z.int().optional(),
  }),
});

export const clusterRunKinds = ['full', 'incremental'] as const;
export const clusterRun = withCanonicalFields(
  z.object({
    id: idOutput.meta({ description: 'The id of the run, which is also the id of its job.' }),
    kind: z.enum(clusterRunKinds),
    algorithm: z.enum(clusterAlgorithms),
    min_cluster_size: z.int(),
    status: z.enum(jobStatuses),
    space_id: idOutput.nullable(),
    created_at: timestampOutput,
    started_at: timestampOutput.nullable(),
    completed_at: timestampOutput.nullable(),
    memory_count: z.int(),
    cluster_count: z.int(),
    noise_count: z.int(),
    sampled_count: z
      .int()
      .nullable()
      .meta({
        description:
          'Number of memories that were clustered as a sample, with the others assigned to the ' +
          'result; null: no sampling.',
      }),
    error: z.string().nullable(),
  }),
  { finished_at: 'completed_at' },
).meta({ id: 'ClusterRun' });

export const clusterRunsQuery = withSpaceName(
  z.strictObject({
    status: z.enum(jobStatuses).optional(),
    kind: z.enum(clusterRunKinds).optional(),
    space_id: spaceFilter.optional(),
    ...pageFields,
  }),
);
export const clusterRunPage = offsetPage(clusterRun);

export const clusterStatus = z.object({
  run: clusterRun.nullable(),
  totals: z.object({
    clusters: z.int(),
    manual_clusters: z.int(),
    automatic_clusters: z.int(),
    memories: z.int(),
    clustered_memories: z.int(),
    unclustered_memories: z.int(),
  }),
});

export const clusterConfig = z
  .object({
    algorithm: z.enum(clusterAlgorithms),
    min_cluster_size: z.int(),
    auto_enabled: z.boolean(),
  })
  .meta({ id: 'ClusterConfig' });
export const patchClusterConfigBody = z.strictObject({
  algorithm: z.enum(clusterAlgorithms).optional(),
  min_cluster_size: minClusterSize.optional(),
  auto_enabled: z.boolean().optional(),
});

export type ClusterRun = z.output<typeof clusterRun>;
export type ClusterRunKind = ClusterRun['kind'];
export type ClusterConfig = z.output<typeof clusterConfig>;
