import { describe, expect, it } from 'vitest';
import { nodeInDirection } from './direction.ts';

const from = { x: 0, y: 0 };
const at = (id: string, x: number, y: number, isNeighbour = true) => ({
  id,
  at: { x, y },
  isNeighbour,
});

describe('nodeInDirection', () => {
  const nodes = [at('east', 100, 5), at('north', 10, -80), at('far', 300, 0)];

  it('moves to the nearest neighbour in the direction', () => {
    expect(nodeInDirection(from, 'right', nodes)).toBe('east');
    expect(nodeInDirection(from, 'up', nodes)).toBe('north');
    expect(nodeInDirection(from, 'down', nodes)).toBeUndefined();
  });

  it('prefers a neighbour to a nearer node without an edge, which it reaches otherwise', () => {
    const near = at('near', 20, 0, false);
    expect(nodeInDirection(from, 'right', [near, ...nodes])).toBe('east');
    expect(nodeInDirection(from, 'right', [near])).toBe('near');
  });

  it('does not move to a node that is more aside than ahead', () => {
    expect(nodeInDirection(from, 'right', [at('north', 10, -80)])).toBeUndefined();
  });
});
