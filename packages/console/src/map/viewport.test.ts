import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pan, toMap, toScreen, viewOf, zoomAt } from './viewport.ts';

const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
const view = fc.record({
  x: coordinate,
  y: coordinate,
  scale: fc.double({ min: 100, max: 10_000, noNaN: true }),
});
const size = { width: 800, height: 600 };
const at = fc.record({
  x: fc.double({ min: 0, max: 800, noNaN: true }),
  y: fc.double({ min: 0, max: 600, noNaN: true }),
});

describe('the view of the map', () => {
  it('keeps the point under the pointer when it zooms', () => {
    fc.assert(
      fc.property(
        view,
        at,
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        (before, point, factor) => {
          const { x, y } = toMap(before, size, point.x, point.y);
          const shown = toScreen(zoomAt(before, size, factor, point), size, x, y);
          expect(shown.x).toBeCloseTo(point.x, 4);
          expect(shown.y).toBeCloseTo(point.y, 4);
        },
      ),
    );
  });

  it('moves with the pointer', () => {
    const { x, y } = toMap({ x: 0, y: 0, scale: 300 }, size, 100, 100);
    const shown = toScreen(pan({ x: 0, y: 0, scale: 300 }, 40, -20), size, x, y);
    expect(shown.x).toBeCloseTo(140);
    expect(shown.y).toBeCloseTo(80);
  });

  it('shows all of what it is fitted to', () => {
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, coordinate, (a, b, c, d) => {
        const bounds = {
          left: Math.min(a, b),
          right: Math.max(a, b),
          bottom: Math.min(c, d),
          top: Math.max(c, d),
        };
        const fitted = viewOf(bounds, size);
        for (const x of [bounds.left, bounds.right]) {
          for (const y of [bounds.bottom, bounds.top]) {
            const shown = toScreen(fitted, size, x, y);
            expect(shown.x).toBeGreaterThan(0);
            expect(shown.x).toBeLessThan(size.width);
            expect(shown.y).toBeGreaterThan(0);
            expect(shown.y).toBeLessThan(size.height);
          }
        }
      }),
    );
  });
});
