/** The middle, and the ends, of the figures of several rounds. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** The q-quantile, 0 ≤ q ≤ 1, linear between neighbours. Throws when there are no values. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) throw new Error('a quantile of no values');
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * q;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}

export const spread = (values: readonly number[]): Spread => ({
  min: quantile(values, 0),
  median: quantile(values, 0.5),
  max: quantile(values, 1),
});

/** Round by round, so that a slow minute of the machine is on both sides of the fraction. */
export function ratios(above: readonly number[], below: readonly number[]): number[] {
  if (above.length !== below.length) throw new Error('ratios need the same rounds on both sides');
  return above.map((value, i) => value / (below[i] ?? Number.NaN));
}
