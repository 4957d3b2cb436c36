import { describe, expect, it } from 'vitest';
import { layoutMap } from './layout-map.ts';
import { makePlantedVectors } from './planted-vectors.testing.ts';

const silent = (): void => undefined;
const taskOf = (vectors: Float32Array<ArrayBuffer>, dimension: number) => ({
  vectors,
  dimension,
  texts: [] as string[],
  seed: 1,
});

/** The share of rows whose nearest other row on the map has the same direction. */
function agreement(places: Float32Array, directions: number): number {
  const count = places.length / 2;
  let agreeing = 0;
  for (let i = 0; i < count; i += 1) {
    let [nearest, least] = [-1, Number.POSITIVE_INFINITY];
    for (let j = 0; j < count; j += 1) {
      const distance = Math.hypot(
        (places[2 * i] ?? 0) - (places[2 * j] ?? 0),
        (places[2 * i + 1] ?? 0) - (places[2 * j + 1] ?? 0),
      );
      if (j !== i && distance < least) [nearest, least] = [j, distance];
    }
    if (nearest % directions === i % directions) agreeing += 1;
  }
  return agreeing / count;
}

describe('the map', () => {
  it.each([12, 40, 400])('puts similar ones of %i vectors close to each other', (count) => {
    const places = layoutMap(taskOf(makePlantedVectors(count, 4, 48, 7), 48), silent);
    expect(agreement(places, 4)).toBeGreaterThan(0.95);
  });

  it('is between -1 and 1, and reaches both on the longer axis', () => {
    const places = layoutMap(taskOf(makePlantedVectors(200, 3, 24, 7), 24), silent);
    expect(Math.max(...places)).toBeCloseTo(1, 5);
    expect(Math.min(...places)).toBeCloseTo(-1, 5);
  });

  it('is the same each time, whatever the order of the rows', () => {
    const vectors = makePlantedVectors(90, 4, 12, 8);
    const turned = new Float32Array(vectors.length);
    for (let row = 0; row < 90; row += 1) {
      turned.set(vectors.subarray(row * 12, row * 12 + 12), (89 - row) * 12);
    }
    const plain = layoutMap(taskOf(vectors, 12), silent);
    const other = layoutMap(taskOf(turned, 12), silent);
    expect(layoutMap(taskOf(vectors, 12), silent)).toEqual(plain);
    for (let row = 0; row < 90; row += 1) {
      expect(other.slice(2 * row, 2 * row + 2)).toEqual(
        plain.slice(2 * (89 - row), 2 * (89 - row) + 2),
      );
    }
  });

  it('of more vectors than a sample places the others among it', () => {
    const shares: number[] = [];
    const task = taskOf(makePlantedVectors(300, 4, 48, 9), 48);
    const places = layoutMap(task, (share) => shares.push(share), 100);
    expect(agreement(places, 4)).toBeGreaterThan(0.95);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it.each([0, 1, 2])('exists for %i vectors', (count) => {
    const places = layoutMap(taskOf(makePlantedVectors(count, 1, 8, 1), 8), silent);
    expect(places.length).toBe(2 * count);
    for (const value of places) expect(Number.isFinite(value)).toBe(true);
  });

  it('of equal vectors is finite', () => {
    const vectors = Float32Array.from({ length: 60 * 8 }, (_, i) => (i % 8 === 0 ? 1 : 0));
    for (const value of layoutMap(taskOf(vectors, 8), silent)) {
      expect(Number.isFinite(value)).toBe(true);
    }
  });
});
