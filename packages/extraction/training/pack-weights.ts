import type { WeightsHeader } from '../src/entities/model/weights.ts';

/** How weights are learnt. */
export interface TrainingOptions {
  readonly rounds: number;
  readonly rate: number;
  /** How strongly weights are drawn to zero. */
  readonly regularization: number;
  /** Features that fewer examples have are not learnt. */
  readonly countMin: number;
  /** The share of an example's features that is hidden in each round. */
  readonly featureDropout: number;
}

/** Features by hash with a row of weights each, one for every label. */
export interface TrainedWeights {
  readonly labels: readonly string[];
  readonly features: readonly number[];
  readonly rows: Float64Array;
}

/** The places of those features that are learnt. */
export function featureIndexes(
  features: Int32Array,
  indexes: ReadonlyMap<number, number>,
): Int32Array {
  const places = features.map((feature) => indexes.get(feature) ?? -1);
  return places.filter((place) => place >= 0);
}

/** Weights in the packed form; features that say next to nothing are left out. */
export function packWeights(
  { labels, features, rows }: TrainedWeights,
  source: string,
  least = 0.05,
): Buffer {
  const width = labels.length;
  const rowOf = (at: number): Float64Array => rows.subarray(at * width, (at + 1) * width);
  const size = (row: Float64Array): number =>
    row.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const kept = features
    .map((hash, at) => ({ hash, row: rowOf(at) }))
    .filter(({ row }) => size(row) >= least)
    .sort((one, other) => one.hash - other.hash);
  const scale = kept.reduce((most, { row }) => Math.max(most, size(row)), 1e-9) / 127;
  const head: WeightsHeader = { labels, features: kept.length, scale, source };
  const hashes = Buffer.alloc(4 * kept.length);
  const bytes = Buffer.alloc(width * kept.length);
  for (const [at, { hash, row }] of kept.entries()) {
    hashes.writeInt32LE(hash, 4 * at);
    for (let i = 0; i < width; i += 1) {
      bytes.writeInt8(Math.round((row[i] as number) / scale), at * width + i);
    }
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), hashes, bytes]);
}
