import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forbiddenTransitionScore, LinearChainCrf } from './linear-chain-crf.ts';

const labels = 3;

/** All paths of a length, with their scores. */
function pathsOf(scores: readonly Float64Array[], steps: Float64Array, begins: Float64Array) {
  let paths: { path: number[]; score: number }[] = [{ path: [], score: 0 }];
  for (const [at, here] of scores.entries()) {
    paths = paths.flatMap(({ path, score }) =>
      Array.from({ length: labels }, (_, label) => ({
        path: [...path, label],
        score:
          score +
          (here[label] as number) +
          ((at === 0 ? begins[label] : steps[(path.at(-1) as number) * labels + label]) as number),
      })),
    );
  }
  return paths;
}

const score = fc.oneof(
  { weight: 5, arbitrary: fc.double({ min: -8, max: 8, noNaN: true }) },
  { weight: 1, arbitrary: fc.constant(400) },
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -5, max: 5, noNaN: true }) },
  { weight: 1, arbitrary: fc.constant(forbiddenTransitionScore) },
);
const row = (of: fc.Arbitrary<number>, length: number) =>
  fc.array(of, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values));

describe('a linear-chain CRF', () => {
  it('has the probabilities that a sum over all paths gives', () => {
    const chain = fc.record({
      scores: fc.array(row(score, labels), { minLength: 1, maxLength: 5 }),
      steps: row(step, labels * labels),
    });
    fc.assert(
      fc.property(chain, ({ scores, steps }) => {
        const begins = new Float64Array(labels);
        const paths = pathsOf(scores, steps, begins);
        const most = Math.max(...paths.map((path) => path.score));
        const weigh = (chosen: typeof paths) =>
          chosen.reduce((sum, path) => sum + Math.exp(path.score - most), 0);
        const crf = new LinearChainCrf(scores, steps, begins);
        for (const at of scores.keys()) {
          for (let label = 0; label < labels; label += 1) {
            const through = paths.filter(({ path }) => path[at] === label);
            expect(crf.probability(at, label)).toBeCloseTo(weigh(through) / weigh(paths), 9);
          }
        }
      }),
    );
  });
});
