/** What part of the map is shown: the point in the middle, and CSS pixels per unit. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle of the map. */
export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

const scaleMin = 40;
const scaleMax = 200_000;
/** Space around what is fitted into the view, as a share of the shorter side. */
const margin = 0.12;
/** A few points close together are not enlarged beyond that. */
const extentMin = 0.02;

const clamp = (value: number, min: number, max: number): number =>
  Math.max(min, Math.min(max, value));

/** The y axis of the map points upwards. */
export const toScreen = (view: Viewport, { width, height }: Size, x: number, y: number) => ({
  x: width / 2 + (x - view.x) * view.scale,
  y: height / 2 - (y - view.y) * view.scale,
});

export const toMap = (view: Viewport, { width, height }: Size, x: number, y: number) => ({
  x: view.x + (x - width / 2) / view.scale,
  y: view.y - (y - height / 2) / view.scale,
});

/** Shows all of the bounds, with space around them. */
export function viewOf({ left, right, bottom, top }: Bounds, { width, height }: Size): Viewport {
  const space = 1 - 2 * margin;
  const scale = Math.min(
    (space * width) / Math.max(right - left, extentMin),
    (space * height) / Math.max(top - bottom, extentMin),
  );
  return {
    x: (left + right) / 2,
    y: (bottom + top) / 2,
    scale: clamp(scale, scaleMin, scaleMax),
  };
}

/** Zooms by a factor; the point at a position of the screen stays there. */
export function zoomAt(
  view: Viewport,
  size: Size,
  factor: number,
  at: { readonly x: number; readonly y: number } = { x: size.width / 2, y: size.height / 2 },
): Viewport {
  const scale = clamp(view.scale * factor, scaleMin, scaleMax);
  const fixed = toMap(view, size, at.x, at.y);
  const ratio = view.scale / scale;
  return {
    x: fixed.x + (view.x - fixed.x) * ratio,
    y: fixed.y + (view.y - fixed.y) * ratio,
    scale,
  };
}

/** Moves the map by CSS pixels. */
export const pan = (view: Viewport, dx: number, dy: number): Viewport => ({
  ...view,
  x: view.x - dx / view.scale,
  y: view.y + dy / view.scale,
});

/** Between two views: 0 is the first, 1 the second; the scale changes evenly for the eye. */
export const between = (from: Viewport, to: Viewport, share: number): Viewport => ({
  x: from.x + (to.x - from.x) * share,
  y: from.y + (to.y - from.y) * share,
  scale: from.scale * (to.scale / from.scale) ** share,
});
