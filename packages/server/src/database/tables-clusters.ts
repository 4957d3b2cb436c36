import type { ColumnType, Generated } from 'kysely';

interface ClusteringSettings {
  account_id: string;
  algorithm: Generated<string>;
  min_cluster_size: Generated<number>;
  auto_enabled: Generated<boolean>;
  cursor: Generated<number>;
}

interface Clusters {
  account_id: string;
  id: string;
  space_id: string | null;
  type: string;
  name: string;
  normalized_name: string;
  is_named: boolean;
  description: string | null;
  color: string | null;
  metadata: ColumnType<Record<string, unknown>, string, string>;
  member_set_id: string;
  run_id: string | null;
  memory_count: Generated<number>;
  vector_sum: Uint8Array | null;
  vector_model: string | null;
  silhouette_score: number | null;
  dbcv_score: number | null;
  cohesion_score: number | null;
  computed_at: Date | null;
  topic_label: string | null;
  topic_terms: ColumnType<
    { term: string; weight: number }[] | null,
    string | null | undefined,
    string | null
  >;
  representatives: string[] | null;
  revision: Generated<number>;
  created_at: Date;
  updated_at: Date;
}

interface ClusterMemories {
  account_id: string;
  member_set_id: string;
  memory_id: string;
  confidence: number;
  added_at: Date;
  is_in_vector_sum: Generated<boolean>;
}

interface ClusterRuns {
  account_id: string;
  id: string;
  kind: string;
  algorithm: string;
  min_cluster_size: number;
  space_id: string | null;
  memory_ids: string[] | null;
  status: string;
  attempt: Generated<number>;
  memory_count: number;
  cluster_count: Generated<number>;
  noise_count: Generated<number>;
  sampled_count: number | null;
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

interface ClusterMaps {
  account_id: string;
  id: string;
  space_id: string | null;
  run_id: string;
  is_current: boolean;
  created_at: Date;
}

interface ClusterMapPoints {
  account_id: string;
  memory_id: string;
  map_id: string;
  x: number | null;
  y: number | null;
}

export interface ClusterTables {
  clustering_settings: ClusteringSettings;
  clusters: Clusters;
  cluster_memories: ClusterMemories;
  cluster_runs: ClusterRuns;
  cluster_maps: ClusterMaps;
  cluster_map_points: ClusterMapPoints;
}
