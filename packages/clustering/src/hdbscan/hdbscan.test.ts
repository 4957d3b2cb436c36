import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../../test/support/run-count.ts';
import { datasets } from './datasets.testing.ts';
import { hdbscan } from './hdbscan.ts';
import { referenceHdbscan } from './reference-hdbscan.testing.ts';

type Point = readonly [number, number];

const run = (points: readonly Point[], minClusterSize: number, minSamples: number) =>
  hdbscan(
    { dimension: 2, values: Float64Array.from(points.flat()) },
    { minClusterSize, minSamples },
  );

/** Labels in the order of their first points, so that partitions can be compared. */
function renumbered(labels: Iterable<number>): number[] {
  const numbers = new Map([[-1, -1]]);
  return Array.from(labels, (label) => {
    if (!numbers.has(label)) numbers.set(label, numbers.size - 1);
    return numbers.get(label) ?? -1;
  });
}

function expectAsPublished(points: readonly Point[], size: number, samples: number): void {
  const found = run(points, size, samples);
  const published = referenceHdbscan(points, size, samples);
  expect(renumbered(found.labels)).toEqual(renumbered(published.labels));
  for (const [i, probability] of published.probabilities.entries()) {
    expect(found.probabilities[i]).toBeCloseTo(probability, 5);
  }
}

/** Few positions, so that many distances are equal and points coincide. */
const onGrid = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
  minLength: 1,
  maxLength: 40,
});

describe('HDBSCAN', () => {
  for (const [name, points] of Object.entries(datasets)) {
    it.each([
      [3, 1],
      [5, 5],
      [8, 3],
    ])(`finds in the set ${name} what the published definitions say (%i, %i)`, (size, samples) => {
      expectAsPublished(points, size, samples);
    });
  }

  it('finds the moons, the blobs, the nested densities, and the coincident points', () => {
    const clusters = (points: readonly Point[], size: number): number =>
      Math.max(...run(points, size, 5).labels) + 1;
    expect(clusters(datasets.moons, 5)).toBe(2);
    expect(clusters(datasets.blobsWithNoise, 8)).toBe(3);
    expect(clusters(datasets.nestedDensities, 8)).toBeGreaterThanOrEqual(3);
    const { labels, probabilities } = run(datasets.identicalPoints, 4, 4);
    expect(new Set([labels[0], labels[12], labels[19], -1]).size).toBe(4);
    expect(new Set(labels.subarray(0, 12)).size).toBe(1);
    expect([...probabilities.subarray(0, 23)]).toEqual(Array(23).fill(1));
  });

  it('does not split a cluster that is as stable as its parts together', () => {
    // Born at density 1/4, eight points separate at 1/2; the two pairs continue to 1: 2 against 2.
    const row = [0, 1, 3, 5, 7, 9, 11, 12, 16, 17].map((x): Point => [x, 0]);
    expect([...run(row, 2, 1).labels]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
  });

  it('follows the published definitions if distances are equal', () => {
    fc.assert(
      fc.property(
        onGrid,
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 1, max: 6 }),
        (...all) => expectAsPublished(...all),
      ),
      { numRuns: runCount(100, 5_000) },
    );
  });

  it('finds the same clusters for any order of points', () => {
    const shuffled = onGrid.chain((points) =>
      fc.tuple(
        fc.constant(points),
        fc.shuffledSubarray([...points.keys()], { minLength: points.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([points, order]) => {
        const plain = run(points, 3, 2);
        const other = run(
          order.map((i) => points[i] as Point),
          3,
          2,
        );
        const expected = order.map((i) => plain.labels[i] as number);
        expect(renumbered(other.labels)).toEqual(renumbered(expected));
      }),
    );
  });

  it('finds nothing without points, in one, and in points at one position', () => {
    expect([...run([], 2, 1).labels]).toEqual([]);
    expect([...run([[1, 1]], 2, 1).labels]).toEqual([-1]);
    expect([...run(Array<Point>(20).fill([1, 1]), 5, 5).labels]).toEqual(Array(20).fill(-1));
  });
});
