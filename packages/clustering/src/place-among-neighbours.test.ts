import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeAmongNeighbours } from './place-among-neighbours.ts';

const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
const neighbour = fc.record({
  x: coordinate,
  y: coordinate,
  distance: fc.double({ min: 0, max: 1.4, noNaN: true }),
});
const neighbours = fc.array(neighbour, { minLength: 1, maxLength: 10 });

describe('the place among neighbours', () => {
  it('is within their bounds', () => {
    fc.assert(
      fc.property(neighbours, (near) => {
        const place = placeAmongNeighbours(near);
        for (const axis of ['x', 'y'] as const) {
          const values = near.map((one) => one[axis]);
          expect(place?.[axis]).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
          expect(place?.[axis]).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
        }
      }),
    );
  });

  it('moves towards a neighbour that comes nearer', () => {
    fc.assert(
      fc.property(neighbours, neighbour, (others, one) => {
        const from = (distance: number): number => {
          const place = placeAmongNeighbours([...others, { ...one, distance }]);
          return Math.hypot((place?.x ?? 0) - one.x, (place?.y ?? 0) - one.y);
        };
        expect(from(one.distance / 2)).toBeLessThanOrEqual(from(one.distance) + 1e-9);
      }),
    );
  });

  it('is that of a neighbour with the same vector, nearly', () => {
    const place = placeAmongNeighbours([
      { x: 0.5, y: -0.5, distance: 0 },
      { x: -1, y: 1, distance: 1 },
    ]);
    expect(place?.x).toBeCloseTo(0.5, 3);
    expect(place?.y).toBeCloseTo(-0.5, 3);
  });

  it('does not exist without neighbours', () => {
    expect(placeAmongNeighbours([])).toBeNull();
  });
});
