import type { Point } from './direction.ts';

/** Screen = graph × scale + offset, in CSS pixels. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const [scaleMin, scaleMax] = [0.08, 4];
const fitScaleMax = 1.35;
const margin = 64;
/** Labels are wider than nodes. */
const labelMargin = 110;

export const toScreen = ({ x, y, scale }: Viewport, point: Point): Point => ({
  x: point.x * scale + x,
  y: point.y * scale + y,
});

/** Zooms by a factor; the graph stays where it is at a point of the screen. */
export function zoomAt(view: Viewport, at: Point, factor: number): Viewport {
  const scale = Math.min(scaleMax, Math.max(scaleMin, view.scale * factor));
  const ratio = scale / view.scale;
  return { x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio, scale };
}

/** The viewport that shows all points with a margin. */
export function fitViewport(points: readonly Point[], { width, height }: Size): Viewport {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right] = [Math.min(...xs, 0), Math.max(...xs, 0)];
  const [top, bottom] = [Math.min(...ys, 0), Math.max(...ys, 0)];
  const scale = Math.max(
    scaleMin,
    Math.min(
      fitScaleMax,
      (width - 2 * Math.min(labelMargin, width / 4)) / Math.max(1, right - left),
      (height - 2 * margin) / Math.max(1, bottom - top),
    ),
  );
  return {
    x: width / 2 - ((left + right) / 2) * scale,
    y: height / 2 - ((top + bottom) / 2) * scale,
    scale,
  };
}

/** Moves the viewport, only as far as needed, so that a point is visible. */
export function reveal(view: Viewport, point: Point, { width, height }: Size): Viewport {
  const at = toScreen(view, point);
  const shift = (value: number, max: number): number =>
    Math.min(Math.max(value, margin), Math.max(margin, max - margin)) - value;
  return { ...view, x: view.x + shift(at.x, width), y: view.y + shift(at.y, height) };
}
