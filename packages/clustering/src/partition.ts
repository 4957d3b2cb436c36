/** The assignment of rows to clusters. */
export interface Partition {
  /** By row: -1 for noise, else a number from 0. */
  readonly labels: Int32Array<ArrayBuffer>;
  /** By row: the strength of its membership, 0 to 1; 0 for noise. */
  readonly probabilities: Float32Array<ArrayBuffer>;
}

/** The rows of each cluster, in ascending order. */
export function membersByCluster(labels: Int32Array): number[][] {
  const members: number[][] = [];
  for (const [row, label] of labels.entries()) {
    if (label < 0) continue;
    while (members.length <= label) members.push([]);
    members[label]?.push(row);
  }
  return members;
}

/** The same partition, numbered by descending size; clusters of equal size by their first row. */
export function renumberClustersBySize({ labels, probabilities }: Partition): Partition {
  const members = membersByCluster(labels);
  const order = [...members.keys()].sort(
    (a, b) =>
      (members[b]?.length ?? 0) - (members[a]?.length ?? 0) ||
      (members[a]?.[0] ?? 0) - (members[b]?.[0] ?? 0),
  );
  const newLabel = new Map(order.map((label, i) => [label, i]));
  return { labels: labels.map((label) => newLabel.get(label) ?? -1), probabilities };
}
