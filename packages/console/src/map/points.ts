import type { ClusterMap } from '@mneme/sdk';
import type { Bounds } from './viewport.ts';

/** The points of a map, in columns. */
export interface MapPoints {
  readonly count: number;
  readonly ids: readonly string[];
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** The index of the cluster; -1: none. */
  readonly cluster: Int32Array;
}

export const toPoints = ({ ids, x, y, cluster }: ClusterMap): MapPoints => ({
  count: ids.length,
  ids,
  x: Float32Array.from(x),
  y: Float32Array.from(y),
  cluster: Int32Array.from(cluster, (index) => index ?? -1),
});

/** Indexes of the points of a cluster; of -1: of those in none. */
export function pointsOfCluster({ count, cluster }: MapPoints, index: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) if (cluster[i] === index) found.push(i);
  return found;
}

export function boundsOf({ x, y }: MapPoints, indexes: Iterable<number>): Bounds {
  const bounds = { left: 1, right: -1, bottom: 1, top: -1 };
  for (const i of indexes) {
    bounds.left = Math.min(bounds.left, x[i] as number);
    bounds.right = Math.max(bounds.right, x[i] as number);
    bounds.bottom = Math.min(bounds.bottom, y[i] as number);
    bounds.top = Math.max(bounds.top, y[i] as number);
  }
  return bounds.left > bounds.right ? { left: -1, right: 1, bottom: -1, top: 1 } : bounds;
}

/** The bounds of most points of a cluster: the farthest 6 % on each side are left out. */
export function mainBoundsOf({ x, y }: MapPoints, indexes: readonly number[]): Bounds {
  const sorted = (values: Float32Array): Float32Array =>
    Float32Array.from(indexes, (i) => values[i] as number).sort();
  const [xs, ys] = [sorted(x), sorted(y)];
  const cut = Math.floor(0.06 * indexes.length);
  const at = (values: Float32Array, i: number): number => values.at(i) ?? 0;
  return {
    left: at(xs, cut),
    right: at(xs, -1 - cut),
    bottom: at(ys, cut),
    top: at(ys, -1 - cut),
  };
}

/** The middle of most points of a cluster: outliers do not move it. */
export function middleOf({ x, y }: MapPoints, indexes: readonly number[]) {
  const median = (values: Float32Array): number =>
    Float32Array.from(indexes, (i) => values[i] as number).sort()[indexes.length >> 1] ?? 0;
  return { x: median(x), y: median(y) };
}

/** The index of the point that is nearest to a place and at most `radius` away; -1: none. */
export function nearestPoint(
  { count, x, y }: MapPoints,
  at: { readonly x: number; readonly y: number },
  radius: number,
): number {
  let [nearest, least] = [-1, radius * radius];
  for (let i = 0; i < count; i += 1) {
    const square = ((x[i] as number) - at.x) ** 2 + ((y[i] as number) - at.y) ** 2;
    if (square <= least) [nearest, least] = [i, square];
  }
  return nearest;
}

type Corner = { readonly x: number; readonly y: number };

/** Points within a polygon, by the even-odd rule. */
export function pointsWithin(points: MapPoints, polygon: readonly Corner[]): number[] {
  const xs = polygon.map(({ x }) => x);
  const ys = polygon.map(({ y }) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const found: number[] = [];
  for (let i = 0; i < points.count; i += 1) {
    const [x, y] = [points.x[i] as number, points.y[i] as number];
    if (x < left || x > right || y < bottom || y > top) continue;
    if (isWithin(polygon, x, y)) found.push(i);
  }
  return found;
}

function isWithin(polygon: readonly Corner[], x: number, y: number): boolean {
  let isInside = false;
  let before = polygon.at(-1) as Corner;
  for (const corner of polygon) {
    const crosses = corner.y > y !== before.y > y;
    if (crosses && x < before.x + ((y - before.y) / (corner.y - before.y)) * (corner.x - before.x))
      isInside = !isInside;
    before = corner;
  }
  return isInside;
}
