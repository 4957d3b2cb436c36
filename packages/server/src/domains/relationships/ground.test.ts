import { expect, test } from 'vitest';
import { nodesAtOnce } from './ground.ts';

test('a statement takes fewer memories, the more relationships hang on those before', () => {
  expect(nodesAtOnce({ nodes: 0, edges: 0 })).toBe(10);
  expect(nodesAtOnce({ nodes: 1, edges: 5 })).toBe(64);
  expect(nodesAtOnce({ nodes: 100, edges: 20_000 })).toBe(25);
  expect(nodesAtOnce({ nodes: 10, edges: 6_000 })).toBe(10);
});
