import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countPoints, placeNames } from './place-labels.ts';
import { boundsOf, type MapPoints, middleOf } from './points.ts';
import type { Region } from './use-map.ts';
import { viewOf } from './viewport.ts';

const size = { width: 900, height: 600 };
const whole = viewOf({ left: -1, right: 1, bottom: -1, top: 1 }, size);

function toPoints(places: readonly (readonly [x: number, y: number])[]): MapPoints {
  return {
    count: places.length,
    ids: places.map((_, i) => `m${i}`),
    x: Float32Array.from(places, ([x]) => x),
    y: Float32Array.from(places, ([, y]) => y),
    cluster: Int32Array.from(places, () => 0),
  };
}

const toRegion = (points: MapPoints, own: readonly number[], index = 0): Region => ({
  index,
  name: `Region ${index}`,
  points: own,
  bounds: boundsOf(points, own),
  middle: middleOf(points, own),
});

describe('the names of the map', () => {
  it('are next to their points, on the side with the fewest others', () => {
    const own = [
      [-0.02, 0],
      [0, 0.02],
      [0.02, -0.02],
    ] as const;
    const above = Array.from({ length: 40 }, (_, i) => [(i - 20) / 100, 0.09] as const);
    const points = toPoints([...own, ...above]);
    const [name] = placeNames(
      [toRegion(points, [0, 1, 2])],
      countPoints(points),
      whole,
      size,
      null,
    );
    expect(name?.isShown).toBe(true);
    expect(name?.y).toBeGreaterThan(size.height / 2);
  });

  it('are left out where they would hide many points, unless they have the focus', () => {
    const everywhere = Array.from({ length: 10_000 }, (_, i) => {
      return [(i % 100) / 50 - 1, Math.floor(i / 100) / 50 - 1] as const;
    });
    const points = toPoints(everywhere);
    const region = toRegion(points, [5_050, 5_051, 5_150]);
    const isShown = (focused: number | null) =>
      placeNames([region], countPoints(points), whole, size, focused)[0]?.isShown;
    expect([isShown(null), isShown(0)]).toEqual([false, true]);
  });

  it('do not cover each other, and the focused one is always shown', () => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
    const place = fc.tuple(coordinate, coordinate);
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 40 }), (places) => {
        const points = toPoints(places);
        const regions = places.map((_, i) => toRegion(points, [i], i));
        const focused = places.length - 1;
        const names = placeNames(regions, countPoints(points), whole, size, focused);
        expect(names[focused]?.isShown).toBe(true);
        const shown = names.slice(0, focused).filter(({ isShown }) => isShown);
        for (const [i, one] of shown.entries()) {
          for (const other of shown.slice(i + 1)) {
            const isApart = Math.abs(one.x - other.x) > 80 || Math.abs(one.y - other.y) >= 26;
            expect(isApart).toBe(true);
          }
        }
      }),
    );
  });
});
