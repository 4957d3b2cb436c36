import type { SearchSize } from '../options.ts';
import type { ServerName } from '../servers.ts';
import { quantile, ratios, type Spread, spread } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';
import type { ParallelRunResult } from './parallel-clients.ts';
import type { PhaseName } from './phases.ts';
import type { ReadLatencies } from './reads.ts';
import type { ScenarioFigures } from './scenario.ts';
import type { MemoryLayout } from './workload.ts';

const throughputMin = 1.4;
/** A client that is served half as often as the mean counts as starved. */
const shareMin = 0.5;
const recallMin = 0.97;
const readMaxMs = 50;

interface LatencyBar {
  readonly server: ServerName;
  readonly like: SearchSize;
  readonly quantile: 0.5 | 0.95;
  readonly maxMs: number;
  readonly goalMs?: number;
}

/** Of one client's searches without a filter, wherever the memories are. */
const latencyBars: readonly LatencyBar[] = [
  { server: 'embedded', like: 5_000, quantile: 0.5, maxMs: 8 },
  { server: 'embedded', like: 5_000, quantile: 0.95, maxMs: 20 },
  { server: 'embedded', like: 50_000, quantile: 0.5, maxMs: 40 },
  { server: 'PostgreSQL', like: 200_000, quantile: 0.5, maxMs: 20, goalMs: 10 },
  { server: 'PostgreSQL', like: 200_000, quantile: 0.95, maxMs: 60, goalMs: 25 },
];

/** How much faster than the yardstick, by p50. */
const fasterMin: Partial<Record<SearchSize, number>> = { 5000: 1.5, 50000: 2.5 };

export interface ScenarioId {
  readonly layout: MemoryLayout;
  readonly like: SearchSize;
}

const latenciesOf = (runs: readonly ParallelRunResult[]): number[] =>
  runs.flatMap((run) => run.latenciesMs.flat());

const perSecond = (runs: readonly ParallelRunResult[]): number =>
  latenciesOf(runs).length / runs.reduce((sum, { seconds }) => sum + seconds, 0);

/** What the client that was answered least often got, of the mean; over all slices. */
export function minClientShare(runs: readonly ParallelRunResult[]): number {
  const counts: number[] = [];
  for (const { latenciesMs } of runs) {
    for (const [client, own] of latenciesMs.entries()) {
      counts[client] = (counts[client] ?? 0) + own.length;
    }
  }
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return Math.min(...counts) / mean;
}

/** Slice by slice, so that a slow minute of the machine is on both sides. */
function speedup(yardstick: ScenarioFigures, own: ScenarioFigures): Spread {
  const medians = ({ phases }: ScenarioFigures): number[] =>
    phases.one.map((run) => quantile(latenciesOf([run]), 0.5));
  return spread(ratios(medians(yardstick), medians(own)));
}

type Cell = (figures: ScenarioFigures) => string | null;

const pair = (values: readonly number[]): string | null =>
  values.length === 0 ? null : [0.5, 0.95].map((q) => quantile(values, q).toFixed(1)).join(' / ');
const ofPhase =
  (name: PhaseName): Cell =>
  ({ phases }) =>
    pair(latenciesOf(phases[name]));
const rateOf =
  (name: PhaseName): Cell =>
  ({ phases }) =>
    phases[name].length === 0 ? null : perSecond(phases[name]).toFixed(0);
const readsOf =
  (name: 'idle' | 'longQueries' | 'coldLoad'): Cell =>
  ({ reads }) =>
    reads && formatReads(reads[name]);
const formatReads = ({ latenciesMs, withoutStallsMs }: ReadLatencies): string =>
  `${[0.5, 0.99, 1].map((q) => quantile(latenciesMs, q).toFixed(1)).join(' / ')}; ` +
  quantile(withoutStallsMs, 1).toFixed(1);

/** A row without any figure is left out. */
const rows: readonly (readonly [label: string, cell: Cell])[] = [
  ['stored, memories/s', ({ fillPerSecond }) => fillPerSecond.toFixed(0)],
  ['first search of an account, p50 / p95, ms', ({ coldMs }) => pair(coldMs)],
  ['1 client, p50 / p95, ms', ofPhase('one')],
  ['filter that keeps 1 %, p50 / p95, ms', ofPhase('hundredth')],
  ['filter that keeps 50 %, p50 / p95, ms', ofPhase('half')],
  ['16 clients, p50 / p95, ms', ofPhase('sixteen')],
  ['searches/s, 1 client', rateOf('one')],
  ['searches/s, 16 clients', rateOf('sixteen')],
  [
    'RSS, now / at its peak, MB',
    ({ rss }) => `${rss.currentMb.toFixed(0)} / ${rss.peakMb.toFixed(0)}`,
  ],
  ['recall@10, mean / min', ({ recalls }) => recallCell(recalls)],
  ['a neighbour reads, p50 / p99 / max; max less stalls, ms', readsOf('idle')],
  ['· while long queries run', readsOf('longQueries')],
  ['· while the account is loaded', readsOf('coldLoad')],
  ['long queries, p50 / p95, ms', ({ reads }) => reads && pair(reads.queriesMs)],
  ['the search that loads the account, ms', ({ reads }) => reads?.loadMs.toFixed(0) ?? null],
];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const recallCell = (recalls: readonly number[]): string | null =>
  recalls.length === 0 ? null : `${mean(recalls).toFixed(3)} / ${Math.min(...recalls).toFixed(1)}`;

/** A Markdown table with a column for each server. */
export function scenarioTable(all: readonly ScenarioFigures[]): string {
  const lines = rows.flatMap(([label, cell]) => {
    const cells = all.map(cell);
    if (cells.every((each) => each === null)) return [];
    return [`| ${[label, ...cells.map((each) => each ?? '')].join(' | ')} |`];
  });
  const names = all.map(({ server }) => server);
  const head = `| | ${names.join(' | ')} |\n|${' --- |'.repeat(names.length + 1)}`;
  return [head, ...lines].join('\n');
}

/** A line for each bar that the scene has, with MISSED where it is missed. */
export function scenarioVerdicts(scene: ScenarioId, all: readonly ScenarioFigures[]): string {
  const yardstick = all.find(({ server }) => server === 'yardstick');
  return all
    .filter((figures) => figures !== yardstick)
    .flatMap((figures) => [
      ...latencyLines(scene, figures),
      ...ratioLine(scene, figures, yardstick),
      ...clientLines(scene, figures),
      ...recallLine(scene, figures),
      ...readLines(scene, figures),
    ])
    .join('\n');
}

const titleOf = ({ like, layout }: ScenarioId, { server }: ScenarioFigures): string =>
  `${server}, ${like}, ${layout}`;

function latencyLines(scene: ScenarioId, figures: ScenarioFigures): string[] {
  const values = latenciesOf(figures.phases.one);
  return latencyBars
    .filter(({ server, like }) => server === figures.server && like === scene.like)
    .map(({ quantile: q, maxMs, goalMs }) => {
      const value = quantile(values, q);
      const goal = goalMs === undefined ? '' : ` (goal ${goalMs})`;
      const says = `p${q * 100} ≤ ${maxMs} ms${goal}: ${value.toFixed(1)}`;
      return renderVerdict(value <= maxMs, `${titleOf(scene, figures)}: ${says}`);
    });
}

function ratioLine(
  scene: ScenarioId,
  figures: ScenarioFigures,
  yardstick?: ScenarioFigures,
): string[] {
  const min = fasterMin[scene.like];
  if (min === undefined || !yardstick) return [];
  const { median, min: least, max } = speedup(yardstick, figures);
  const range = `${median.toFixed(2)} (${least.toFixed(2)}–${max.toFixed(2)})`;
  const says = `p50 ≥ ${min} × faster than the yardstick: ${range}`;
  return [renderVerdict(median >= min, `${titleOf(scene, figures)}: ${says}`)];
}

function clientLines(scene: ScenarioId, figures: ScenarioFigures): string[] {
  const { one, sixteen } = figures.phases;
  const title = titleOf(scene, figures);
  const times = perSecond(sixteen) / perSecond(one);
  const share = minClientShare(sixteen);
  return [
    renderVerdict(
      times >= throughputMin,
      `${title}: 16 clients ≥ ${throughputMin} × the searches/s of one: ${times.toFixed(2)}`,
    ),
    renderVerdict(
      share >= shareMin,
      `${title}: none starved, the slowest ≥ ${shareMin} of the mean: ${share.toFixed(2)}`,
    ),
  ];
}

function recallLine(scene: ScenarioId, figures: ScenarioFigures): string[] {
  if (figures.recalls.length === 0) return [];
  const value = mean(figures.recalls);
  const says = `recall@10 ≥ ${recallMin} of exact vectors: ${value.toFixed(3)}`;
  return [renderVerdict(value >= recallMin, `${titleOf(scene, figures)}: ${says}`)];
}

/** The embedded engine is held to it; elsewhere it is for information. */
function readLines(scene: ScenarioId, figures: ScenarioFigures): string[] {
  const { reads, server } = figures;
  if (!reads) return [];
  const line = ({ latenciesMs, withoutStallsMs }: ReadLatencies, meanwhile: string): string => {
    const [max, less] = [quantile(latenciesMs, 1), quantile(withoutStallsMs, 1)];
    const says =
      `${titleOf(scene, figures)}: a neighbour's longest read ≤ ${readMaxMs} ms ${meanwhile}: ` +
      `${max.toFixed(1)}, without the client's own stalls ${less.toFixed(1)}`;
    return server === 'embedded'
      ? renderVerdict(max <= readMaxMs, says)
      : `for information: ${says}`;
  };
  return [
    line(reads.longQueries, 'while long queries run'),
    line(reads.coldLoad, 'while the account is loaded'),
  ];
}
