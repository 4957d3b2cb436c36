import { describe, expect, it } from 'vitest';
import { clusterVectors } from './cluster-vectors.ts';
import { makePlantedVectors } from './planted-vectors.testing.ts';

const silent = (): void => undefined;
const texts: string[] = [];
const partsOf = (labels: Int32Array): Set<number> => new Set(labels);

/** The share of rows in the cluster that has most rows of their direction. */
function agreement(labels: Int32Array, directions: number): number {
  let agreeing = 0;
  for (let direction = 0; direction < directions; direction += 1) {
    const own = labels.filter((_, row) => row % directions === direction);
    const counts = new Map<number, number>();
    for (const label of own) if (label >= 0) counts.set(label, (counts.get(label) ?? 0) + 1);
    agreeing += Math.max(0, ...counts.values());
  }
  return agreeing / labels.length;
}

describe.each(['hdbscan', 'bertopic'] as const)('clusters of vectors by %s', (algorithm) => {
  it.each([24, 39, 40, 120, 300])('are the directions of %i vectors', (count) => {
    const vectors = makePlantedVectors(count, 4, 48, 7);
    const task = { algorithm, vectors, dimension: 48, texts, minClusterSize: 5, seed: 1 };
    const { partition, sampled } = clusterVectors(task, silent);
    expect(sampled).toBeNull();
    expect(agreement(partition.labels, 4)).toBeGreaterThan(0.9);
    expect(partsOf(partition.labels).size).toBeLessThanOrEqual(5);
  });

  it('do not exist if all vectors are equal', () => {
    const vectors = Float32Array.from({ length: 60 * 8 }, (_, i) => (i % 8 === 0 ? 1 : 0));
    const task = { algorithm, vectors, dimension: 8, texts, minClusterSize: 5, seed: 1 };
    const { partition } = clusterVectors(task, silent);
    expect(partsOf(partition.labels)).toEqual(new Set([-1]));
  });

  it('are two if there are two directions, however many vectors', () => {
    const vectors = makePlantedVectors(300, 2, 48, 7);
    const task = { algorithm, vectors, dimension: 48, texts, minClusterSize: 5, seed: 1 };
    const { partition } = clusterVectors(task, silent);
    expect(agreement(partition.labels, 2)).toBe(1);
    expect(partsOf(partition.labels).size).toBe(2);
  });

  it('do not exist without vectors', () => {
    const task = {
      algorithm,
      vectors: new Float32Array(0),
      dimension: 8,
      texts,
      minClusterSize: 5,
      seed: 1,
    };
    expect(clusterVectors(task, silent).partition.labels.length).toBe(0);
  });

  it('are the same, whatever the order of the rows', () => {
    const vectors = makePlantedVectors(90, 4, 12, 8);
    const task = { algorithm, vectors, dimension: 12, texts, minClusterSize: 4, seed: 1 };
    const turned = new Float32Array(vectors.length);
    for (let row = 0; row < 90; row += 1) {
      turned.set(vectors.subarray(row * 12, row * 12 + 12), (89 - row) * 12);
    }
    const plain = clusterVectors(task, silent).partition;
    const other = clusterVectors({ ...task, vectors: turned }, silent).partition;
    expect([...other.probabilities].reverse()).toEqual([...plain.probabilities]);
    const pairs = new Set(
      Array.from(plain.labels, (label, i) => `${label} ${other.labels[89 - i]}`),
    );
    expect(pairs.size).toBe(partsOf(plain.labels).size);
  });

  it('of too many vectors use a sample, and the rest is assigned', () => {
    const vectors = makePlantedVectors(240, 4, 48, 9);
    const task = { algorithm, vectors, dimension: 48, texts, minClusterSize: 5, seed: 1 };
    const shares: number[] = [];
    const { partition, sampled } = clusterVectors(task, (share) => shares.push(share), 80);
    expect(sampled).toBe(80);
    expect(agreement(partition.labels, 4)).toBeGreaterThan(0.9);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    for (const [row, label] of partition.labels.entries()) {
      const probability = partition.probabilities[row] ?? Number.NaN;
      if (label < 0) expect(probability).toBe(0);
      else expect(probability).toBeGreaterThan(0);
      expect(probability).toBeLessThanOrEqual(1);
    }
  });
});
