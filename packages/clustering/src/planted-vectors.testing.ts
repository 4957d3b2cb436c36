import { createRandom } from './random.ts';

/** Unit vectors around this many directions, alternating; input of the tests. */
export function makePlantedVectors(
  count: number,
  directions: number,
  dimension: number,
  seed: number,
): Float32Array<ArrayBuffer> {
  const random = createRandom(seed);
  const draw = (): number[] => Array.from({ length: dimension }, () => random() - 0.5);
  const centres = Array.from({ length: directions }, draw);
  const rows = Array.from({ length: count }, (_, row) => {
    const centre = centres[row % directions] ?? [];
    const vector = draw().map((value, i) => 0.6 * value + (centre[i] ?? 0));
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
  return Float32Array.from(rows.flat());
}
