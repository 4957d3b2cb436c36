import { z } from 'zod';
import { idOutput, spaceFilter, timestampOutput } from '../fields.ts';
import { ownerFilters } from '../owners.ts';
import { withSpaceName } from '../space-names.ts';
import { clusterTypes } from './clusters.ts';

export const clusterMapQuery = withSpaceName(
  z.strictObject({
    space_id: spaceFilter.optional().meta({
      description: 'The map of this space; without it, the map of the whole account.',
    }),
    ...ownerFilters,
  }),
);

const mappedCluster = z
  .object({
    id: idOutput,
    name: z.string(),
    cluster_type: z.enum(clusterTypes),
    color: z.string().nullable(),
    topic_keywords: z.array(z.string()).nullable(),
    memory_count: z.int().meta({ description: 'How many of the points are in the cluster.' }),
  })
  .meta({ id: 'MappedCluster' });

const coordinates = (axis: string) =>
  z.array(z.number()).meta({
    description: `By point: ${axis}, from -1 to 1. Points that are close have similar texts.`,
  });

/** In columns: the same index in each of the four last lists is the same point. */
export const clusterMap = z
  .object({
    map: z
      .object({
        clustering_run_id: idOutput,
        space_id: idOutput.nullable(),
        created_at: timestampOutput,
      })
      .nullable()
      .meta({ description: 'null: no full run of this scope has completed.' }),
    clusters: z.array(mappedCluster),
    total_count: z.int().meta({
      description: 'Number of memories with a place; the newest 100,000 of them are points.',
    }),
    unplaced_count: z.int().meta({
      description: 'Number of memories that are newer than the map and get their place soon.',
    }),
    ids: z.array(idOutput).meta({ description: 'By point: the memory, the oldest first.' }),
    x: coordinates('to the right'),
    y: coordinates('upwards'),
    cluster: z.array(z.int().nullable()).meta({
      description: 'By point: the index of its cluster in `clusters`; null: it is in none.',
    }),
  })
  .meta({ id: 'ClusterMap' });

export type ClusterMap = z.output<typeof clusterMap>;
