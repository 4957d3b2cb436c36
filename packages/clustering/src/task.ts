/** Undirected: each pair of rows once. */
export interface EdgeList {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Above 0. */
  readonly weight: Float64Array;
}

export interface ClusterTask {
  readonly algorithm: 'hdbscan' | 'bertopic' | 'community';
  readonly minClusterSize: number;
  readonly dimension: number;
  /** Unit vectors, row after row. */
  readonly vectors: Float32Array<ArrayBuffer>;
  /** The text of each row, or its start: the order of rows with equal vectors. */
  readonly texts: readonly string[];
  /** Input of the algorithm `community`. */
  readonly edges?: EdgeList;
  readonly seed: number;
}

export interface ClusterMetrics {
  /** Null if there is no other cluster, or too many clusters precede it. */
  readonly silhouette: number | null;
  /** Null in the same cases, and if there are too few points. */
  readonly dbcv: number | null;
  /** The mean cosine to the centroid. */
  readonly cohesion: number;
}

export interface FoundCluster extends ClusterMetrics {
  /** Of unit length; zeros if the members cancel out. */
  readonly centroid: Float32Array<ArrayBuffer>;
  /** Rows, the most representative first. */
  readonly representatives: readonly number[];
}

export interface Clustering {
  /** By row: -1 for noise, else the index in `clusters`. */
  readonly labels: Int32Array<ArrayBuffer>;
  /** By row: the strength of its membership, 0 to 1; 0 for noise. */
  readonly probabilities: Float32Array<ArrayBuffer>;
  /** The largest first. */
  readonly clusters: readonly FoundCluster[];
  /** The number of clustered rows if the others were assigned afterwards. */
  readonly sampled: number | null;
}

/** For existing clusters, including manual ones. */
export interface ClusterMetricsTask {
  readonly dimension: number;
  /** Unit vectors, row after row. */
  readonly vectors: Float32Array<ArrayBuffer>;
  /** The rows of each cluster; a row may be in several. */
  readonly members: readonly Uint32Array[];
  readonly seed: number;
}
