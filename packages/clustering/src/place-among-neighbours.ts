/** A point of a map. */
export interface MapPoint {
  readonly x: number;
  readonly y: number;
}

/** A placed row that is near to one without a place. */
export interface PlacedNeighbour extends MapPoint {
  /** Of the vectors, 0 to 2. */
  readonly distance: number;
}

/** So many of the nearest placed rows determine the place of another one. */
export const placingNeighbours = 10;
/** Below it two vectors are the same: they are stored with about this precision. */
const distanceMin = 0.01;

/**
 * The mean of the neighbours' places, weighted by 1/distance²: the place of the nearest one counts
 * most, and that of an equal vector nearly alone. Null without neighbours.
 */
export function placeAmongNeighbours(neighbours: readonly PlacedNeighbour[]): MapPoint | null {
  let [x, y, total] = [0, 0, 0];
  for (const neighbour of neighbours) {
    const weight = 1 / Math.max(neighbour.distance, distanceMin) ** 2;
    x += weight * neighbour.x;
    y += weight * neighbour.y;
    total += weight;
  }
  return total === 0 ? null : { x: x / total, y: y / total };
}
