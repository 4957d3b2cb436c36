/** Panels with logarithmic axes, side by side, as an SVG document. */

interface Series {
  readonly name: string;
  /** Both above 0. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Panel {
  /** With the unit of y. */
  readonly title: string;
  readonly series: readonly Series[];
  /** Upper limits that a series must hold at some x: drawn as open circles. */
  readonly bars?: Series['points'];
}

interface Range {
  readonly min: number;
  readonly max: number;
}

const columns = 2;
const panel = { width: 420, height: 280 };
const inner = { left: 52, top: 40, right: 76, bottom: 36 };
const plot = {
  width: panel.width - inner.left - inner.right,
  height: panel.height - inner.top - inner.bottom,
};
/** Between the names of two series. */
const labelHeight = 14;
const colors = ['#1f5fa8', '#c2571a', '#3a7d44'];
const style = `text { font: 12px system-ui, sans-serif; fill: #333 }
.title { font-size: 14px; font-weight: 600 } .tick { fill: #666; font-size: 11px }
.grid { stroke: #ddd } .line { fill: none; stroke-width: 2 } .bar { fill: none; stroke: #666 }`;

/** A chart of so many panels in two columns. Throws where a panel has no points. */
export function renderChart(label: string, panels: readonly Panel[]): string {
  const rows = Math.ceil(panels.length / columns);
  const [width, height] = [panel.width * columns, panel.height * rows];
  const drawn = panels.map((one, i) => {
    const [x, y] = [(i % columns) * panel.width, Math.floor(i / columns) * panel.height];
    return `<g transform="translate(${x} ${y})">\n${renderPanel(one)}\n</g>`;
  });
  const head = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"`;
  return `<svg ${head} aria-label="${escapeText(label)}">
<style>${style}</style>
<rect width="${width}" height="${height}" fill="#fff"/>
${drawn.join('\n')}
</svg>
`;
}

function renderPanel({ title, series, bars = [] }: Panel): string {
  const all = [...series.flatMap(({ points }) => points), ...bars];
  const x = decadesAround(all.map(([value]) => value));
  const y = decadesAround(all.map(([, value]) => value));
  const at = ([px, py]: Point): Point => [
    round(inner.left + plot.width * shareOf(px, x)),
    round(inner.top + plot.height * (1 - shareOf(py, y))),
  ];
  const lines = [`<text class="title" x="${inner.left}" y="20">${escapeText(title)}</text>`];
  for (const value of powersOfTen(y)) {
    const [left, top] = at([x.min, value]);
    lines.push(
      `<path class="grid" d="M${left} ${top}h${plot.width}"/>`,
      `<text class="tick" x="${left - 6}" y="${top + 4}" text-anchor="end">${short(value)}</text>`,
    );
  }
  for (const value of powersOfTen(x)) {
    const [left, top] = at([value, y.min]);
    lines.push(
      `<text class="tick" x="${left}" y="${top + 18}" text-anchor="middle">${short(value)}</text>`,
    );
  }
  let lowest = -labelHeight;
  const ends = series.map((one, i) => ({ one, color: colors[i % 3] ?? '', end: endOf(one, at) }));
  for (const { one, color, end } of ends.toSorted((a, b) => a.end[1] - b.end[1])) {
    lowest = Math.max(end[1] + 4, lowest + labelHeight);
    const label = `<text x="${end[0] + 8}" y="${lowest}" style="fill:${color}">`;
    lines.push(...renderSeries(one, color, at), `${label}${escapeText(one.name)}</text>`);
  }
  for (const bar of bars) {
    const [left, top] = at(bar);
    lines.push(`<circle class="bar" cx="${left}" cy="${top}" r="5"/>`);
  }
  return lines.join('\n');
}

type Point = readonly [number, number];

const endOf = ({ points }: Series, at: (point: Point) => Point): Point =>
  at(points.at(-1) ?? [1, 1]);

function renderSeries({ points }: Series, color: string, at: (point: Point) => Point): string[] {
  const places = points.map(at);
  const d = `M${places.map((place) => place.join(' ')).join('L')}`;
  return [
    `<path class="line" stroke="${color}" d="${d}"/>`,
    ...places.map(([cx, cy]) => `<circle fill="${color}" cx="${cx}" cy="${cy}" r="3"/>`),
  ];
}

/** From the power of ten below all values to the one above. */
function decadesAround(values: readonly number[]): Range {
  if (values.length === 0) throw new Error('a panel without points');
  const min = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const max = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  return { min, max: max > min ? max : min * 10 };
}

const shareOf = (value: number, { min, max }: Range): number =>
  Math.log(value / min) / Math.log(max / min);

const powersOfTen = ({ min, max }: Range): number[] =>
  Array.from({ length: Math.round(Math.log10(max / min)) + 1 }, (_, i) => min * 10 ** i);

const round = (value: number): number => Math.round(value * 10) / 10;

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return String(Number(value.toPrecision(3)));
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
