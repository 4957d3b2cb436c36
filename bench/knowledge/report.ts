import { quantile } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';
import type { ExtractionFigures } from './extraction.ts';
import type { WalkFigures } from './walks.ts';

const secondsMax = 100;
const searchFloorMs = 50;
const pathologicalMaxMs = 2_000;
const subgraphP95MaxMs = 60;
const pathP95MaxMs = 40;

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(head), `|${' --- |'.repeat(head.length)}`, ...rows].join('\n');
const formatQuantiles = (values: readonly number[], qs: readonly number[], digits = 1): string =>
  qs.map((q) => (values.length === 0 ? '–' : quantile(values, q).toFixed(digits))).join(' / ');

/** Two Markdown tables: reading beside searches, and poisons. */
export function extractionTable(all: readonly ExtractionFigures[]): string {
  const rows = all.map(({ server, memories, seconds, idleMs, busyMs }) =>
    row([
      server,
      memories,
      seconds.toFixed(1),
      (memories / seconds).toFixed(0),
      formatQuantiles(idleMs, [0.5, 0.95]),
      formatQuantiles(busyMs, [0.5, 0.95]),
    ]),
  );
  const poisoned = all.flatMap(({ server, pathologicalMs }) =>
    pathologicalMs.map(([name, ms]) => row([`${name}: ${server}`, ms.toFixed(0)])),
  );
  const head = ['', 'memories', 'read in, s', 'per second'];
  const search = ['search idle, p50 / p95, ms', 'meanwhile, ms'];
  return `${table([...head, ...search], rows)}\n\n${table(['a megabyte of', 'ms'], poisoned)}`;
}

/** On PostgreSQL for information: the bars are those of the embedded engine. */
export function extractionVerdicts({ server, seconds, ...figures }: ExtractionFigures): string[] {
  const [idle, busy] = [quantile(figures.idleMs, 0.95), quantile(figures.busyMs, 0.95)];
  const max = Math.max(2 * idle, searchFloorMs);
  const worst = Math.max(...figures.pathologicalMs.map(([, ms]) => ms));
  return [
    renderVerdict(seconds < secondsMax, `${server}, read < ${secondsMax} s: ${seconds.toFixed(1)}`),
    renderVerdict(
      busy < max,
      `${server}, search p95 meanwhile < ${max.toFixed(0)} ms: ${busy.toFixed(1)}`,
    ),
    renderVerdict(
      worst < pathologicalMaxMs,
      `${server}, the worst poison < ${pathologicalMaxMs} ms: ${worst.toFixed(0)}`,
    ),
  ];
}

/** A Markdown table of quantiles in milliseconds. */
export function walkTable(all: readonly WalkFigures[]): string {
  const rows = all.map(({ server, graph, subgraphMs, sizes, pathMs, lengths }) =>
    row([
      `${graph}: ${server}`,
      formatQuantiles(subgraphMs, [0.5, 0.95, 0.99]),
      formatQuantiles(sizes, [0.5, 0.95], 0),
      formatQuantiles(pathMs, [0.5, 0.95, 0.99]),
      `${lengths.length} of ${pathMs.length}: ${formatQuantiles(lengths, [0.5, 1], 0)}`,
    ]),
  );
  return table(
    [
      '',
      'subgraph, p50 / p95 / p99, ms',
      'nodes, p50 / p95',
      'path, p50 / p95 / p99, ms',
      'found: hops, p50 / max',
    ],
    rows,
  );
}

export function walkVerdicts({ server, graph, subgraphMs, pathMs }: WalkFigures): string[] {
  const line = (what: string, values: readonly number[], max: number): string => {
    const p95 = quantile(values, 0.95);
    const says = `${graph}: ${server}, ${what}, p95 ≤ ${max} ms: ${p95.toFixed(1)}`;
    return server === 'embedded' ? renderVerdict(p95 <= max, says) : `for information: ${says}`;
  };
  return [
    line('a subgraph of 5 hops', subgraphMs, subgraphP95MaxMs),
    line('a shortest path', pathMs, pathP95MaxMs),
  ];
}
