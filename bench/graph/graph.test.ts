import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { type GraphFigures, graphTable, graphVerdict } from './report.ts';

const figures = (given: Partial<GraphFigures>): GraphFigures => ({
  server: 'embedded',
  graph: 'even',
  millis: [1, 2, 25],
  sizes: [10, 20, 30],
  ...given,
});
const held = (given: Partial<GraphFigures>) => graphVerdict(figures(given)).startsWith('held');

test('a walk is held by its p95, on PostgreSQL by a narrower bar', () => {
  expect(held({ millis: [25] })).toBe(true);
  expect(held({ millis: [25.1] })).toBe(false);
  expect(held({ server: 'PostgreSQL', millis: [10] })).toBe(true);
  expect(held({ server: 'PostgreSQL', millis: [10.1] })).toBe(false);
});

test('the table has a row for each graph on each engine', () => {
  const table = graphTable([figures({}), figures({ server: 'PostgreSQL' })]);
  expect(table.split('\n')).toHaveLength(4);
  expect(table).toContain('| even: embedded | 3 | 2.0 | 22.7 | 24.5 | 20 | 29 |');
});

test('a graph is the same each time', () => {
  const [one, other] = [createRandom(7), createRandom(7)];
  const numbers = Array.from({ length: 100 }, one);
  expect(Array.from({ length: 100 }, other)).toEqual(numbers);
  expect(numbers.every((x) => x >= 0 && x < 1)).toBe(true);
});
