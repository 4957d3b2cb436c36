/** Scores as an SVG: a histogram for each kind of pair, and how often a score tells the truth. */

export interface NamedScores {
  readonly name: string;
  readonly inSharedSpace: readonly number[];
  readonly inOwnSpace: readonly number[];
}

const binCount = 20;
const rowHeight = 64;
const barsHeight = 40;
const left = 230;
const width = 400;
const top = 56;
const panelHeight = 200;

/** How many of the scores fall into each twentieth of 0..1, as shares of all. */
export function histogram(scores: readonly number[]): number[] {
  const counts = new Array<number>(binCount).fill(0);
  for (const score of scores) {
    const bin = Math.min(binCount - 1, Math.floor(score * binCount));
    counts[bin] = (counts[bin] ?? 0) + 1 / scores.length;
  }
  return counts;
}

/** Pairs that say the same and pairs that do not; as many of each. */
export interface ReliabilityScores {
  readonly same: Omit<NamedScores, 'name'>;
  readonly other: Omit<NamedScores, 'name'>;
}

/** By twentieth of 0..1, the share of pairs that say the same; null where there are no pairs. */
export function shareOfSamePairsByBin(
  same: readonly number[],
  other: readonly number[],
): (number | null)[] {
  const others = histogram(other).map((share) => share * other.length);
  return histogram(same).map((share, i) => {
    const [alike, all] = [share * same.length, share * same.length + (others[i] ?? 0)];
    return all < 0.5 ? null : alike / all;
  });
}

/** Filled: among all memories; as a line: alone in a space. The limits .5 and .9 are marked. */
export function renderScoresSvg(
  kinds: readonly NamedScores[],
  reliability: ReliabilityScores,
): string {
  const height = top + kinds.length * rowHeight + 40 + panelHeight + 60;
  const x = (score: number): string => (left + score * width).toFixed(1);
  const bottom = top + kinds.length * rowHeight;
  const limits = [0.5, 0.9].map(
    (limit) =>
      `<line x1="${x(limit)}" x2="${x(limit)}" y1="${top - 8}" y2="${bottom}" class="limit"/>`,
  );
  const ticks = [0, 0.25, 0.5, 0.75, 0.9, 1].map(
    (tick) => `<text x="${x(tick)}" y="${bottom + 18}" class="tick">${tick}</text>`,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 40} ${height}">`,
    '<title>Distributions of the shown scores, and how often the answer is right by it</title>',
    '<style>text{font:13px sans-serif;fill:#222}.tick{text-anchor:middle;font-size:11px}',
    '.count{font-size:11px;fill:#666}.bar{fill:#4a7ab5}.alone{fill:none;stroke:#c2571a}',
    '.limit{stroke:#888;stroke-dasharray:3 3}.axis{stroke:#bbb}',
    '.frame{fill:none;stroke:#bbb}.share{text-anchor:end;font-size:11px}</style>',
    `<rect width="100%" height="100%" fill="#fff"/>`,
    '<text x="16" y="24">Shown scores by kind of pair</text>',
    `<rect x="${left}" y="14" width="12" height="12" class="bar"/>`,
    `<text x="${left + 18}" y="24">among all memories</text>`,
    `<path d="M${left + 170} 20h14" class="alone"/>`,
    `<text x="${left + 190}" y="24">alone in a space</text>`,
    ...limits,
    ...kinds.map((kind, i) => row(kind, top + (i + 1) * rowHeight - 8)),
    ...ticks,
    ...panel(reliability, bottom + 60),
    '</svg>',
  ].join('\n')}\n`;
}

function row({ name, inSharedSpace, inOwnSpace }: NamedScores, base: number): string {
  const step = width / binCount;
  const [filled, outlined] = [histogram(inSharedSpace), histogram(inOwnSpace)];
  const most = Math.max(...filled, ...outlined, Number.MIN_VALUE);
  const tall = (share: number): number => (barsHeight * share) / most;
  const bars = filled.map((share, i) => {
    if (share === 0) return '';
    const [at, high] = [left + i * step + 1, Math.max(0.5, tall(share))];
    const size = `width="${(step - 2).toFixed(1)}" height="${high.toFixed(1)}"`;
    return `<rect x="${at.toFixed(1)}" y="${(base - high).toFixed(1)}" ${size} class="bar"/>`;
  });
  const line = outlined.map((share) => `V${(base - tall(share)).toFixed(1)}h${step.toFixed(1)}`);
  const counts = [
    `${inSharedSpace.length}`,
    ...(inOwnSpace.length > 0 ? [`${inOwnSpace.length}`] : []),
  ];
  return [
    `<text x="16" y="${base - 18}">${name}</text>`,
    `<text x="16" y="${base - 3}" class="count">n = ${counts.join(' and ')}</text>`,
    `<line x1="${left}" x2="${left + width}" y1="${base}" y2="${base}" class="axis"/>`,
    ...bars.filter((bar) => bar !== ''),
    ...(inOwnSpace.length > 0
      ? [`<path d="M${left} ${base}${line.join('')}" class="alone"/>`]
      : []),
  ].join('\n');
}

/** A point for each twentieth: how many of its pairs say the same. */
function panel({ same, other }: ReliabilityScores, from: number): string[] {
  const bottom = from + panelHeight;
  const points = (kind: 'inSharedSpace' | 'inOwnSpace', radius: number): string[] =>
    shareOfSamePairsByBin(same[kind], other[kind]).flatMap((share, i) => {
      if (share === null) return [];
      const x = left + ((i + 0.5) * width) / binCount;
      const y = bottom - share * panelHeight;
      const name = kind === 'inOwnSpace' ? 'inOwnSpace' : 'bar';
      return [`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" class="${name}"/>`];
    });
  const marks = [0, 0.5, 1].map(
    (share) =>
      `<text x="${left - 8}" y="${bottom - share * panelHeight + 4}" class="share">${share}</text>`,
  );
  return [
    `<text x="16" y="${from + 12}">Share of pairs that</text>`,
    `<text x="16" y="${from + 28}">say the same, by score</text>`,
    `<text x="16" y="${from + 46}" class="count">restatements and</text>`,
    `<text x="16" y="${from + 60}" class="count">hard unrelated ones</text>`,
    `<rect x="${left}" y="${from}" width="${width}" height="${panelHeight}" class="frame"/>`,
    `<path d="M${left} ${bottom}L${left + width} ${from}" class="limit"/>`,
    ...marks,
    ...points('inSharedSpace', 5),
    ...points('inOwnSpace', 5),
  ];
}
