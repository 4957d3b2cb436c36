import { createRandom } from '../random.ts';

type Points2d = readonly (readonly [number, number])[];

const random = createRandom(20_26);

/** Box and Muller's normal numbers. */
const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const gaussianBlob = (x: number, y: number, deviation: number, count: number): [number, number][] =>
  Array.from({ length: count }, () => [x + deviation * normal(), y + deviation * normal()]);

const uniformPoints = (from: number, to: number, count: number): [number, number][] =>
  Array.from({ length: count }, () => [
    from + (to - from) * random(),
    from + (to - from) * random(),
  ]);

/** Two half circles, one in the other's arms. */
const moons: Points2d = Array.from({ length: 100 }, (_, i) => {
  const angle = (Math.PI * (i >> 1)) / 49;
  const [x, y] = [Math.cos(angle), Math.sin(angle)];
  const [dx, dy] = [0.05 * normal(), 0.05 * normal()];
  return i % 2 === 0 ? [x + dx, y + dy] : [1 - x + dx, 0.5 - y + dy];
});

const blobsWithNoise: Points2d = [
  ...gaussianBlob(0, 0, 0.5, 30),
  ...gaussianBlob(5, 5, 0.7, 30),
  ...gaussianBlob(-4, 6, 0.4, 20),
  ...uniformPoints(-8, 9, 25),
];

/** Two dense ones within a loose one, and a fourth of a density between. */
const nestedDensities: Points2d = [
  ...gaussianBlob(0, 0, 2, 40),
  ...gaussianBlob(-0.8, 0, 0.08, 15),
  ...gaussianBlob(0.9, 0.2, 0.1, 15),
  ...gaussianBlob(12, 12, 0.6, 25),
];

/** Many at one place, at three places, and some that are alone. */
const identicalPoints: Points2d = [
  ...Array.from({ length: 12 }, (): [number, number] => [0, 0]),
  ...Array.from({ length: 7 }, (): [number, number] => [1, 0]),
  ...Array.from({ length: 4 }, (): [number, number] => [1, 1]),
  ...uniformPoints(-3, 4, 20),
];

/** Drawn by the formulas above from a seeded generator: the same points on every machine. */
export const datasets = { moons, blobsWithNoise, nestedDensities, identicalPoints };
