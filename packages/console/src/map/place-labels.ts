import type { MapPoints } from './points.ts';
import type { Region } from './use-map.ts';
import { type Size, toScreen, type Viewport } from './viewport.ts';

/** Rows and columns of cells over the map, whose coordinates are from -1 to 1. */
const cells = 512;

/** How many points are in rectangles of the map: sums of all cells to the left and below. */
export type PointCounts = Int32Array;

const stride = cells + 1;
const cellOf = (coordinate: number): number =>
  Math.max(0, Math.min(cells, ((coordinate + 1) / 2) * cells));

export function countPoints({ count, x, y }: MapPoints): PointCounts {
  const sums = new Int32Array(stride * stride);
  for (let i = 0; i < count; i += 1) {
    const column = Math.min(cells - 1, Math.floor(cellOf(x[i] as number)));
    const row = Math.min(cells - 1, Math.floor(cellOf(y[i] as number)));
    sums[(row + 1) * stride + column + 1] = (sums[(row + 1) * stride + column + 1] as number) + 1;
  }
  for (let row = 1; row <= cells; row += 1) {
    let own = 0;
    for (let column = 1; column <= cells; column += 1) {
      const at = row * stride + column;
      own += sums[at] as number;
      sums[at] = own + (sums[at - stride] as number);
    }
  }
  return sums;
}

/** A rectangle of the screen. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The points in the cells that a rectangle of the screen touches. */
function pointsBehind(counts: PointCounts, view: Viewport, size: Size, box: Box): number {
  const column = (x: number) => cellOf(view.x + (x - size.width / 2) / view.scale);
  const row = (y: number) => cellOf(view.y - (y - size.height / 2) / view.scale);
  const [left, right] = [Math.floor(column(box.left)), Math.ceil(column(box.right))];
  const [bottom, top] = [Math.floor(row(box.bottom)), Math.ceil(row(box.top))];
  const sum = (r: number, c: number): number => counts[r * stride + c] as number;
  return sum(top, right) - sum(top, left) - sum(bottom, right) + sum(bottom, left);
}

const height = 26;
const charactersMax = 34;
/** Estimated, so that nothing has to be measured while the map moves. */
const widthOf = (name: string): number => 26 + 7.6 * Math.min(name.length, charactersMax);

export interface PlacedName {
  readonly region: Region;
  /** The middle of the name on the screen, in CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly isShown: boolean;
}

/** The middles of a name around its region, those that are read most easily first. */
function placesAround(region: Region, view: Viewport, size: Size, width: number) {
  const { bounds, middle } = region;
  const { x, y } = toScreen(view, size, middle.x, middle.y);
  const { x: left, y: top } = toScreen(view, size, bounds.left, bounds.top);
  const { x: right, y: bottom } = toScreen(view, size, bounds.right, bounds.bottom);
  return [
    { x, y: top - height / 2 - 4 },
    { x, y: bottom + height / 2 + 4 },
    { x: right + width / 2 + 4, y },
    { x: left - width / 2 - 4, y },
    { x, y },
  ];
}

/** A name that would hide more points than this is left out until there is more room. */
const hiddenPointsMax = ({ points }: Region): number => 2 + points.length * 0.2;

/**
 * Puts each name next to the points of its region, where the fewest points are behind it. Names are
 * shown where they do not cover each other or many points: the first ones first, and the focused
 * one always.
 */
export function placeNames(
  regions: readonly Region[],
  counts: PointCounts,
  view: Viewport,
  size: Size,
  focused: number | null,
): PlacedName[] {
  const taken: Box[] = [];
  return regions.map((region) => {
    const width = widthOf(region.name);
    const middle = toScreen(view, size, region.middle.x, region.middle.y);
    const isOutside =
      middle.x < 0 || middle.y < 0 || middle.x > size.width || middle.y > size.height;
    let best: { readonly x: number; readonly y: number; readonly box: Box } | undefined;
    let fewest = hiddenPointsMax(region) + 1;
    for (const { x, y } of isOutside ? [] : placesAround(region, view, size, width)) {
      const [left, top] = [x - width / 2, y - height / 2];
      const box = { left, top, right: left + width, bottom: top + height };
      if (!isWithin(box, size) || taken.some((other) => overlaps(box, other))) continue;
      const behind = pointsBehind(counts, view, size, box);
      if (behind >= fewest) continue;
      fewest = behind;
      best = { x, y, box };
    }
    if (best) taken.push(best.box);
    const { x, y } = best ?? middle;
    return { region, x, y, isShown: best !== undefined || region.index === focused };
  });
}

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const isWithin = (box: Box, { width, height: frame }: Size): boolean =>
  box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= frame;
