import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  type MapPoints,
  mainBoundsOf,
  middleOf,
  nearestPoint,
  pointsOfCluster,
  pointsWithin,
} from './points.ts';

/** A grid of 5 × 5 from -1 to 1, row after row from the bottom. */
const coordinates = Array.from({ length: 25 }, (_, i) => [
  (i % 5) / 2 - 1,
  Math.floor(i / 5) / 2 - 1,
]);
const grid: MapPoints = {
  count: 25,
  ids: coordinates.map((_, i) => `m${i}`),
  x: Float32Array.from(coordinates, ([x = 0]) => x),
  y: Float32Array.from(coordinates, ([, y = 0]) => y),
  cluster: Int32Array.from(coordinates, (_, i) => (i < 5 ? 0 : -1)),
};

describe('points of the map', () => {
  it('within a lasso are found, also if it is not convex', () => {
    const square = [
      { x: -0.6, y: -0.6 },
      { x: 0.6, y: -0.6 },
      { x: 0.6, y: 0.6 },
      { x: -0.6, y: 0.6 },
    ];
    expect(pointsWithin(grid, square)).toEqual([6, 7, 8, 11, 12, 13, 16, 17, 18]);
    const notched = [...square, { x: 0.1, y: 0 }];
    expect(pointsWithin(grid, notched)).toEqual([7, 8, 13, 17, 18]);
    expect(pointsWithin(grid, square.slice(0, 2))).toEqual([]);
  });

  it('are found by the place of the pointer', () => {
    expect(nearestPoint(grid, { x: 0.05, y: 0.02 }, 0.1)).toBe(12);
    expect(nearestPoint(grid, { x: 0.25, y: 0.25 }, 0.1)).toBe(-1);
  });

  it('of a cluster have bounds, and a middle that outliers do not move', () => {
    const own = pointsOfCluster(grid, 0);
    expect(own).toEqual([0, 1, 2, 3, 4]);
    expect(boundsOf(grid, own)).toEqual({ left: -1, right: 1, bottom: -1, top: -1 });
    const outlying = [...Array.from({ length: 20 }, () => 12), 24];
    expect(mainBoundsOf(grid, outlying)).toEqual({ left: 0, right: 0, bottom: 0, top: 0 });
    expect(middleOf(grid, [5, 6, 7, 24])).toEqual({ x: 0, y: -0.5 });
    expect(boundsOf(grid, [])).toEqual({ left: -1, right: 1, bottom: -1, top: 1 });
  });
});
