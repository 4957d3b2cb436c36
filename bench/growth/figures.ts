import { firstSearchBarsMs } from '../search/workload.ts';
import { renderVerdict } from '../verdict.ts';
import type { Panel } from './chart.ts';

/** In ms. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

export interface SearchCost extends Latency {
  /** Processor time of the server process for a search. */
  readonly cpuMs: number;
}

export interface GrowthFigures {
  readonly memories: number;
  /** Searches with one client, and with 16 at once. */
  readonly one: SearchCost;
  readonly sixteen: SearchCost;
  readonly read: Latency;
  readonly list: Latency;
  readonly create: Latency;
  /** The first search after a start. */
  readonly firstSearchMs: number;
  readonly rssMb: number;
  readonly indexMb: number;
  /** Null: the account has no segment. */
  readonly segmentMb: number | null;
  readonly databaseMb: number;
}

/** Upper limits by the number of memories, in ms, for a query whose vector is cached. */
const searchBars: Readonly<Record<number, Latency>> = {
  5000: { p50: 3, p95: 10 },
  50000: { p50: 6, p95: 15 },
  200000: { p50: 8, p95: 20 },
  1000000: { p50: 30, p95: 60 },
};
/** What a new query may take in addition. */
const newQueryMs = 4;
const cpuRatioMax = 1.1;
/** From this size on an account is large. */
const indexBytesFrom = 50_000;
const indexBytesMax = 700;
const bytesPerMb = 1e6;

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const pair = ({ p50, p95 }: Latency): string => `${p50.toFixed(1)} / ${p95.toFixed(1)}`;

const heads = [
  'memories',
  'search, 1 client, p50 / p95, ms',
  '16 clients',
  'CPU of a search, 1 client, ms',
  '16 clients',
  'first search, ms',
  'GET',
  'list of 100',
  'create',
  'process, MB',
  'index, MB',
  'segment, MB',
  'database, MB',
];

/** The head of a Markdown table with a row for each size. */
export const growthTableHead = (): string => `${row(heads)}\n${row(heads.map(() => '---'))}`;

export const growthTableRow = (one: GrowthFigures): string =>
  row([
    one.memories.toLocaleString('en-US'),
    pair(one.one),
    pair(one.sixteen),
    one.one.cpuMs.toFixed(1),
    one.sixteen.cpuMs.toFixed(1),
    one.firstSearchMs.toFixed(0),
    pair(one.read),
    pair(one.list),
    pair(one.create),
    one.rssMb.toFixed(0),
    one.indexMb.toFixed(1),
    one.segmentMb?.toFixed(1) ?? '–',
    one.databaseMb.toFixed(0),
  ]);

/** One line for each bar of this size. */
export function growthVerdicts(figures: GrowthFigures): string[] {
  const { memories, one, sixteen, firstSearchMs, indexMb } = figures;
  const of = memories.toLocaleString('en-US');
  const lines: string[] = [];
  const bar = searchBars[memories];
  if (bar) {
    const [p50, p95] = [bar.p50 + newQueryMs, bar.p95 + newQueryMs];
    const held = one.p50 <= p50 && one.p95 <= p95;
    lines.push(renderVerdict(held, `${of}, new query ≤ ${p50} / ${p95} ms: ${pair(one)}`));
    const ratio = sixteen.cpuMs / one.cpuMs;
    const says = `${of}, CPU of a search, 16 clients to one ≤ ${cpuRatioMax}: ${ratio.toFixed(2)}`;
    lines.push(renderVerdict(ratio <= cpuRatioMax, says));
  }
  const first = firstSearchBarsMs[memories];
  if (first) {
    const says = `${of}, first search ≤ ${first} ms: ${firstSearchMs.toFixed(0)}`;
    lines.push(renderVerdict(firstSearchMs <= first, says));
  }
  if (memories >= indexBytesFrom) {
    const each = (indexMb * bytesPerMb) / memories;
    const says = `${of}, index of a memory ≤ ${indexBytesMax} bytes: ${each.toFixed(0)}`;
    lines.push(renderVerdict(each <= indexBytesMax, says));
  }
  return lines;
}

/** What the chart shows. Sizes in ascending order. */
export function growthPanels(all: readonly GrowthFigures[]): Panel[] {
  const series = (name: string, value: (one: GrowthFigures) => number | null) => ({
    name,
    points: all.flatMap((one) => {
      const y = value(one);
      return y ? [[one.memories, y] as const] : [];
    }),
  });
  const barsOf = (bars: Readonly<Record<number, number>>) =>
    Object.entries(bars).map(([memories, ms]) => [Number(memories), ms] as const);
  const searches = Object.entries(searchBars).flatMap(([memories, { p50, p95 }]) => [
    [Number(memories), p50] as const,
    [Number(memories), p95] as const,
  ]);
  return [
    {
      title: 'Search, ms (circles: bars)',
      series: [series('p95', ({ one }) => one.p95), series('p50', ({ one }) => one.p50)],
      bars: searches,
    },
    {
      title: 'First search after a start, ms (circles: bars)',
      series: [series('first', ({ firstSearchMs }) => firstSearchMs)],
      bars: barsOf(firstSearchBarsMs),
    },
    {
      title: 'Memory, MB',
      series: [series('process', ({ rssMb }) => rssMb), series('index', ({ indexMb }) => indexMb)],
    },
    {
      title: 'Disk, MB',
      series: [
        series('database', ({ databaseMb }) => databaseMb),
        series('segment', ({ segmentMb }) => segmentMb),
      ],
    },
  ];
}
