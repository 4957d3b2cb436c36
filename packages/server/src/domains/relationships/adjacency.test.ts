import { expect, test } from 'vitest';
import { nodesPerStatement } from './adjacency.ts';

test('a statement reads fewer memories if the previous ones had many relationships', () => {
  expect(nodesPerStatement({ nodes: 0, edges: 0 })).toBe(10);
  expect(nodesPerStatement({ nodes: 1, edges: 5 })).toBe(64);
  expect(nodesPerStatement({ nodes: 100, edges: 20_000 })).toBe(25);
  expect(nodesPerStatement({ nodes: 10, edges: 6_000 })).toBe(10);
});
