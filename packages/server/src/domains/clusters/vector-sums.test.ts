import { describe, expect, it } from 'vitest';
import {
  addToSum,
  centroidOf,
  decodeSum,
  dotProduct,
  encodeSum,
  toUnitVector,
} from './vector-sums.ts';

const one = Int8Array.of(3, 4, 0);
const other = Int8Array.of(0, 0, 100);

describe('the sum of a cluster', () => {
  it('is of unit vectors, and is restored by a subtraction', () => {
    const sum = new Float64Array(3);
    addToSum(sum, one, 1);
    addToSum(sum, other, 1);
    expect([...sum]).toEqual([0.6, 0.8, 1]);
    addToSum(sum, other, -1);
    expect([...sum]).toEqual([0.6, 0.8, 0]);
    addToSum(sum, Int8Array.of(0, 0, 0), 1);
    expect([...sum]).toEqual([0.6, 0.8, 0]);
  });

  it('is restored from its bytes at any offset', () => {
    const sum = Float64Array.of(0.1, -2, 1e-300);
    const bytes = encodeSum(sum);
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    expect(decodeSum(moved.subarray(3))).toEqual(sum);
  });

  it('has the centroid in its direction, and none where the vectors cancel out', () => {
    expect(toUnitVector(Int8Array.of(0, 0, 0))).toBeNull();
    const centroid = centroidOf(Float64Array.of(3, 4, 0));
    expect(dotProduct(centroid ?? [], [0.6, 0.8, 0])).toBeCloseTo(1, 6);
    expect(centroidOf(new Float64Array(3))).toBeNull();
  });
});
