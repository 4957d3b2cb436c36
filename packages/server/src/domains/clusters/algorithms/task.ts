/** Undirected: each pair of rows once. */
export interface EdgeList {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Above 0. */
  readonly weight: Float64Array;
}

export interface ClusterTask {
  readonly kind: 'cluster';
  readonly algorithm: 'hdbscan' | 'bertopic' | 'community';
  readonly minClusterSize: number;
  readonly dimension: number;
  /** Unit vectors, row after row. */
  readonly vectors: Float32Array<ArrayBuffer>;
  /** What each row says, from which the labels come; the beginning of a long text is enough. */
  readonly texts: readonly string[];
  /** What `community` clusters. */
  readonly edges?: EdgeList;
  readonly seed: number;
}

export interface Keyword {
  readonly term: string;
  readonly weight: number;
}

export interface Metrics {
  /** Null where there is no other cluster, or too many before it. */
  readonly silhouette: number | null;
  /** Null there, and where there are too few points. */
  readonly dbcv: number | null;
  /** The mean cosine to the centroid. */
  readonly cohesion: number;
}

export interface FoundCluster extends Metrics {
  /** Of unit length; zeros where the members cancel out. */
  readonly centroid: Float32Array<ArrayBuffer>;
  /** Words that tell it from the others; two clusters of a run never share one. */
  readonly label: string;
  /** The heaviest first. */
  readonly keywords: readonly Keyword[];
  /** Rows, the most telling first. */
  readonly representatives: readonly number[];
}

export interface Clustering {
  /** By row: -1 for noise, else the place in `clusters`. */
  readonly labels: Int32Array<ArrayBuffer>;
  /** By row, how strongly it belongs there, 0 to 1; 0 for noise. */
  readonly probabilities: Float32Array<ArrayBuffer>;
  /** The largest first. */
  readonly clusters: readonly FoundCluster[];
  /** How many rows were clustered, where the others were assigned afterwards. */
  readonly sampled: number | null;
}

/** Of clusters that there are already, manual ones among them. */
export interface MetricsTask {
  readonly kind: 'metrics';
  readonly dimension: number;
  /** Unit vectors, row after row. */
  readonly vectors: Float32Array<ArrayBuffer>;
  /** The rows of each cluster; a row may be in several. */
  readonly members: readonly Uint32Array[];
  readonly seed: number;
}
