import type { FigureName, RoundFigures } from './rounds.ts';
import type { ServerName } from './servers.ts';
import { ratios, type Spread, spread } from './statistics.ts';
import { renderVerdict } from './verdict.ts';

/** The rounds of each server, in the same order. */
export type RoundsByServer = ReadonlyMap<ServerName, readonly RoundFigures[]>;

const labels: Readonly<Record<FigureName, { label: string; digits: number }>> = {
  single1: { label: 'single adds/s, 1 connection', digits: 0 },
  single16: { label: 'single adds/s, 16 connections', digits: 0 },
  bulk: { label: 'bulk adds/s, 100 a call', digits: 0 },
  searchP50: { label: 'search p50, ms', digits: 2 },
  searchP95: { label: 'search p95, ms', digits: 2 },
  readP50: { label: 'point read p50, ms', digits: 2 },
  rss: { label: 'RSS, MB', digits: 0 },
  rssPeak: { label: 'RSS at its peak, MB', digits: 0 },
  startFresh: { label: 'fresh start, s', digits: 2 },
  startSecond: { label: 'second start, s', digits: 2 },
  firstSearch: { label: 'first search after it, ms', digits: 0 },
};

/** A Markdown table: median (min–max) over the rounds. */
export function renderTable(rounds: RoundsByServer): string {
  const names = [...rounds.keys()];
  const rows = (Object.keys(labels) as FigureName[]).map((name) => {
    const { label, digits } = labels[name];
    const cells = names.map((server) => {
      const values = (rounds.get(server) ?? []).map((figures) => figures[name]);
      return values.some(Number.isNaN) ? '' : spreadText(spread(values), digits);
    });
    return `| ${label} | ${cells.join(' | ')} |`;
  });
  const head = `| | ${names.join(' | ')} |\n|${' --- |'.repeat(names.length + 1)}`;
  return [head, ...rows].join('\n');
}

const spreadText = ({ min, median, max }: Spread, digits: number): string => {
  const text = (value: number): string => value.toFixed(digits);
  return min === max ? text(median) : `${text(median)} (${text(min)}–${text(max)})`;
};

interface Threshold {
  readonly figure: FigureName;
  readonly baseline: FigureName | null;
  /** Whose figure the baseline is, if not the yardstick's: only `embedded` is compared with it. */
  readonly of?: ServerName;
  readonly limit: number;
  readonly kind: 'atLeast' | 'atMost' | 'below';
  readonly description: string;
}

/** What the service promises; `of` is the yardstick's figure that the limit is a multiple of. */
const thresholds: readonly Threshold[] = [
  {
    figure: 'bulk',
    baseline: 'single1',
    limit: 1,
    kind: 'atLeast',
    description: 'bulk adds/s ≥ 1.0 × the yardstick',
  },
  {
    figure: 'single16',
    baseline: 'single1',
    limit: 0.6,
    kind: 'atLeast',
    description: '16 connections ≥ 0.6 × the yardstick',
  },
  {
    figure: 'searchP50',
    baseline: 'searchP50',
    limit: 1,
    kind: 'atMost',
    description: 'search p50 ≤ the yardstick’s',
  },
  {
    figure: 'bulk',
    baseline: 'bulk',
    of: 'embedded (static)',
    limit: 0.9,
    kind: 'atLeast',
    description: 'bulk adds/s ≥ 0.9 × those with static vectors',
  },
  { figure: 'rss', baseline: null, limit: 700, kind: 'below', description: 'RSS < 700 MB' },
  {
    figure: 'startSecond',
    baseline: null,
    limit: 2,
    kind: 'below',
    description: 'second start < 2 s',
  },
];

export interface Verdict {
  readonly server: ServerName;
  readonly description: string;
  readonly value: Spread;
  readonly isMet: boolean;
}

/** Each bar for each server, by the median; those that need a missing server are left out. */
export function evaluateThresholds(rounds: RoundsByServer): Verdict[] {
  const servers = [...rounds].filter(([name]) => name !== 'yardstick');
  return servers.flatMap(([server, figures]) =>
    thresholds.flatMap(({ figure, baseline, of = 'yardstick', limit, kind, description }) => {
      if (of !== 'yardstick' && server !== 'embedded') return [];
      const own = figures.map((each) => each[figure]);
      const compared = rounds.get(of);
      if (baseline && !compared) return [];
      const other = baseline && compared ? compared.map((each) => each[baseline]) : null;
      const value = spread(other ? ratios(own, other) : own);
      return [{ server, description, value, isMet: meetsThreshold(value.median, limit, kind) }];
    }),
  );
}

function meetsThreshold(value: number, limit: number, kind: Threshold['kind']): boolean {
  if (kind === 'atLeast') return value >= limit;
  return kind === 'atMost' ? value <= limit : value < limit;
}

/** A line for each verdict, with MISSED where it is missed. */
export function renderVerdicts(list: readonly Verdict[]): string {
  return list
    .map(({ server, description, value, isMet }) => {
      const digits = value.median >= 100 ? 0 : 2;
      return renderVerdict(isMet, `${server}: ${description}: ${spreadText(value, digits)}`);
    })
    .join('\n');
}
