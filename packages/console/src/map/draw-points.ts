import type { MapPoints } from './points.ts';
import type { Size, Viewport } from './viewport.ts';

export interface Drawing {
  readonly points: MapPoints;
  readonly view: Viewport;
  /** Of the canvas, in CSS pixels. */
  readonly size: Size;
  readonly pixelRatio: number;
  /** By cluster, the last one for points in none: red, green and blue. */
  readonly colours: Uint8ClampedArray;
  readonly background: Uint8ClampedArray;
  /** By point: 1 for those that are drawn strongly; null: all. */
  readonly emphasis: Uint8Array | null;
}

const opacity = { plain: 0.85, strong: 1, weak: 0.14 } as const;

/** Fewer points, and points that are closer to the eye, are larger. */
export const radiusOf = (count: number, { scale }: Viewport): number => {
  const byCount = 6.1 - Math.log10(Math.max(count, 10));
  const byZoom = 0.55 * Math.max(0, Math.log2(scale / 400));
  return Math.max(1.1, Math.min(7, byCount + byZoom));
};

/**
 * Draws the points into pixels: 50,000 take a few milliseconds on any machine, with or without a
 * graphics processor.
 */
export function drawPoints(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { size, pixelRatio, background } = drawing;
  const [width, height] = [
    Math.max(1, Math.round(size.width * pixelRatio)),
    Math.max(1, Math.round(size.height * pixelRatio)),
  ];
  const { canvas } = context;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const image = context.createImageData(width, height);
  const [red = 0, green = 0, blue = 0] = background;
  new Uint32Array(image.data.buffer).fill((255 << 24) | (blue << 16) | (green << 8) | red);
  if (drawing.emphasis === null) stampAll(image, drawing, () => opacity.plain);
  else {
    const { emphasis } = drawing;
    stampAll(image, drawing, (i) => (emphasis[i] === 1 ? null : opacity.weak));
    stampAll(image, drawing, (i) => (emphasis[i] === 1 ? opacity.strong : null));
  }
  context.putImageData(image, 0, 0);
}

/** @param opacityOf null: the point is left out */
function stampAll(
  image: ImageData,
  { points, view, size, pixelRatio, colours }: Drawing,
  opacityOf: (point: number) => number | null,
): void {
  const { count, x, y, cluster } = points;
  const { coverage, side, reach } = makeStamp(radiusOf(count, view) * pixelRatio);
  const last = colours.length / 3 - 1;
  const { width, height, data } = image;
  const scale = view.scale * pixelRatio;
  const [left, top] = [
    (size.width / 2) * pixelRatio - view.x * scale,
    (size.height / 2) * pixelRatio + view.y * scale,
  ];
  for (let i = 0; i < count; i += 1) {
    const px = Math.round(left + (x[i] as number) * scale) - reach;
    const py = Math.round(top - (y[i] as number) * scale) - reach;
    if (px < -side || py < -side || px > width || py > height) continue;
    const strength = opacityOf(i);
    if (strength === null) continue;
    const own = cluster[i] as number;
    const colour = 3 * (own < 0 ? last : own);
    for (let row = 0; row < side; row += 1) {
      const ry = py + row;
      if (ry < 0 || ry >= height) continue;
      for (let column = 0; column < side; column += 1) {
        const rx = px + column;
        const covered = coverage[row * side + column] as number;
        if (covered === 0 || rx < 0 || rx >= width) continue;
        const share = covered * strength;
        const at = 4 * (ry * width + rx);
        for (let channel = 0; channel < 3; channel += 1) {
          const below = data[at + channel] as number;
          data[at + channel] = below + share * ((colours[colour + channel] as number) - below);
        }
      }
    }
  }
}

/** A disc with soft edges: how much of each pixel it covers, 0 to 1. */
function makeStamp(radius: number) {
  const reach = Math.ceil(radius);
  const side = 2 * reach + 1;
  const coverage = Float32Array.from({ length: side * side }, (_, i) => {
    const distance = Math.hypot((i % side) - reach, Math.floor(i / side) - reach);
    return Math.max(0, Math.min(1, radius + 0.5 - distance));
  });
  return { coverage, side, reach };
}
