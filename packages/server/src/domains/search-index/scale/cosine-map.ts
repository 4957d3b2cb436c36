/** A function from cosines to cosines that never decreases, as a table over −1..1. */
export interface CosineMap {
  readonly table: Float32Array;
}

/** Intervals of the table: a cosine is exact to a thousandth anyway. */
const intervals = 1_024;
/** The slopes outside the knots are those of so many knots next to them. */
const slopeKnots = 4;

/**
 * The piecewise linear function through (from[i], to[i]), both ascending; 1 stays 1. Below the
 * first knot it continues with the slope of the next ones.
 */
export function createCosineMap(from: readonly number[], to: readonly number[]): CosineMap {
  const knots = distinctKnots(from, to);
  return tabulate((cosine) => {
    const above = knots.findIndex(([x]) => x > cosine);
    if (above === 0) return below(knots, cosine);
    if (above < 0) return 1;
    const [[x0, y0], [x1, y1]] = [knots[above - 1] as Knot, knots[above] as Knot];
    return y0 + ((y1 - y0) * (cosine - x0)) / (x1 - x0);
  });
}

export function mapCosine({ table }: CosineMap, cosine: number): number {
  const at = Math.min(1, Math.max(-1, cosine));
  const place = ((at + 1) * intervals) / 2;
  const low = Math.min(intervals - 1, Math.floor(place));
  const [a, b] = [table[low] as number, table[low + 1] as number];
  return a + (b - a) * (place - low);
}

type Knot = readonly [from: number, to: number];

/**
 * The knots with ascending x; of those with the same x the mean; then (1, 1). A model for which all
 * texts are equal has no scale: its cosines stay.
 */
function distinctKnots(from: readonly number[], to: readonly number[]): Knot[] {
  const knots: Knot[] = [];
  const byFrom = Map.groupBy(from.keys(), (i) => from[i] as number);
  for (const [x, at] of byFrom) {
    if (x >= 1) break;
    knots.push([x, at.reduce((sum, i) => sum + (to[i] as number), 0) / at.length]);
  }
  if (knots.length === 0) knots.push([-1, -1]);
  knots.push([1, 1]);
  return knots;
}

function below(knots: readonly Knot[], cosine: number): number {
  const [x0, y0] = knots[0] as Knot;
  const [x1, y1] = knots[Math.min(slopeKnots, knots.length - 1)] as Knot;
  return Math.max(-1, y0 + ((y1 - y0) * (cosine - x0)) / (x1 - x0));
}

const tabulate = (fn: (cosine: number) => number): CosineMap => ({
  table: Float32Array.from({ length: intervals + 1 }, (_, i) => fn((2 * i) / intervals - 1)),
});
