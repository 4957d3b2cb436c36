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
const radiusOf = (count: number, { scale }: Viewport): number => {
  const byCount = 6.1 - Math.log10(Math.max(count, 10));
  const byZoom = 0.55 * Math.max(0, Math.log2(scale / 400));
  return Math.max(1.1, Math.min(7, byCount + byZoom));
};

/**
 * Draws points into pixels: 50,000 take a few milliseconds on any machine, with or without a
 * graphics processor.
 */
export class PointDrawer {
  readonly #context: CanvasRenderingContext2D;
  #image: ImageData;
  #pixels: Uint32Array;

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
    this.#image = context.createImageData(1, 1);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
  }

  draw(drawing: Drawing): void {
    this.#resize(drawing);
    this.#pixels.fill(packed(drawing.background, 0));
    const { emphasis } = drawing;
    if (emphasis === null) this.#stamp(drawing, opacity.plain, null);
    else {
      this.#stamp(drawing, opacity.weak, (point) => emphasis[point] === 0);
      this.#stamp(drawing, opacity.strong, (point) => emphasis[point] === 1);
    }
    this.#context.putImageData(this.#image, 0, 0);
  }

  #resize({ size, pixelRatio }: Drawing): void {
    const width = Math.max(1, Math.round(size.width * pixelRatio));
    const height = Math.max(1, Math.round(size.height * pixelRatio));
    if (this.#image.width === width && this.#image.height === height) return;
    const { canvas } = this.#context;
    canvas.width = width;
    canvas.height = height;
    this.#image = this.#context.createImageData(width, height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
  }

  #stamp(drawing: Drawing, strength: number, isIncluded: ((point: number) => boolean) | null) {
    const { points, view, size, pixelRatio, colours } = drawing;
    const { count, x, y, cluster } = points;
    const { width, height } = this.#image;
    const cells = makeStamp(radiusOf(count, view) * pixelRatio, strength);
    const packedColours = Uint32Array.from({ length: colours.length / 3 }, (_, i) =>
      packed(colours, 3 * i),
    );
    const last = packedColours.length - 1;
    const scale = view.scale * pixelRatio;
    const left = (size.width / 2) * pixelRatio - view.x * scale;
    const top = (size.height / 2) * pixelRatio + view.y * scale;
    const { reach } = cells;
    for (let i = 0; i < count; i += 1) {
      if (isIncluded !== null && !isIncluded(i)) continue;
      const px = Math.round(left + (x[i] as number) * scale);
      const py = Math.round(top - (y[i] as number) * scale);
      if (px < -reach || py < -reach || px >= width + reach || py >= height + reach) continue;
      const own = cluster[i] as number;
      const colour = packedColours[own < 0 ? last : own] as number;
      stampAt(this.#pixels, { width, height }, cells, { px, py, colour });
    }
  }
}

/** A pixel of opaque red, green and blue, as it is in memory. */
const packed = (rgb: Uint8ClampedArray, at: number): number =>
  (0xff000000 |
    ((rgb[at + 2] as number) << 16) |
    ((rgb[at + 1] as number) << 8) |
    (rgb[at] as number)) >>>
  0;

/** The pixels of a disc with soft edges, relative to its middle, and their opacity up to 256. */
interface Stamp {
  readonly reach: number;
  readonly dx: Int32Array;
  readonly dy: Int32Array;
  readonly alpha: Int32Array;
}

function makeStamp(radius: number, strength: number): Stamp {
  const reach = Math.ceil(radius);
  const cells: [dx: number, dy: number, alpha: number][] = [];
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const covered = Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(dx, dy)));
      const alpha = Math.round(256 * covered * strength);
      if (alpha > 0) cells.push([dx, dy, alpha]);
    }
  }
  return {
    reach,
    dx: Int32Array.from(cells, ([dx]) => dx),
    dy: Int32Array.from(cells, ([, dy]) => dy),
    alpha: Int32Array.from(cells, ([, , alpha]) => alpha),
  };
}

function stampAt(
  pixels: Uint32Array,
  { width, height }: Size,
  { dx, dy, alpha }: Stamp,
  { px, py, colour }: { readonly px: number; readonly py: number; readonly colour: number },
): void {
  // Red and blue of a pixel are mixed together: between them there is room for the product.
  const [redBlue, green] = [colour & 0xff00ff, colour & 0x00ff00];
  for (let cell = 0; cell < alpha.length; cell += 1) {
    const rx = px + (dx[cell] as number);
    const ry = py + (dy[cell] as number);
    if (rx < 0 || ry < 0 || rx >= width || ry >= height) continue;
    const at = ry * width + rx;
    const share = alpha[cell] as number;
    const below = pixels[at] as number;
    const rest = 256 - share;
    const mixedRedBlue = (redBlue * share + (below & 0xff00ff) * rest) / 256;
    const mixedGreen = (green * share + (below & 0x00ff00) * rest) / 256;
    pixels[at] = 0xff000000 | (mixedRedBlue & 0xff00ff) | (mixedGreen & 0x00ff00);
  }
}
