import { quantile } from '../statistics.ts';
import { verdictLine } from '../verdict.ts';
import type { ReadingFigures } from './reading.ts';
import type { WalkFigures } from './walks.ts';

const secondsMax = 100;
const searchFloorMs = 50;
const poisonMaxMs = 2_000;
const subgraphP95MaxMs = 60;
const pathP95MaxMs = 40;

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(head), `|${' --- |'.repeat(head.length)}`, ...rows].join('\n');
const at = (values: readonly number[], qs: readonly number[], digits = 1): string =>
  qs.map((q) => (values.length === 0 ? '–' : quantile(values, q).toFixed(digits))).join(' / ');

/** Two Markdown tables: reading beside searches, and poisons. */
export function readingTable(all: readonly ReadingFigures[]): string {
  const rows = all.map(({ server, memories, seconds, idleMs, busyMs }) =>
    row([
      server,
      memories,
      seconds.toFixed(1),
      (memories / seconds).toFixed(0),
      at(idleMs, [0.5, 0.95]),
      at(busyMs, [0.5, 0.95]),
    ]),
  );
  const poisoned = all.flatMap(({ server, poisonMs }) =>
    poisonMs.map(([name, ms]) => row([`${name}: ${server}`, ms.toFixed(0)])),
  );
  const head = ['', 'memories', 'read in, s', 'per second'];
  const search = ['search idle, p50 / p95, ms', 'meanwhile, ms'];
  return `${table([...head, ...search], rows)}\n\n${table(['a megabyte of', 'ms'], poisoned)}`;
}

/** On PostgreSQL for information: the bars are those of the embedded engine. */
export function readingVerdicts({ server, seconds, ...figures }: ReadingFigures): string[] {
  const [idle, busy] = [quantile(figures.idleMs, 0.95), quantile(figures.busyMs, 0.95)];
  const max = Math.max(2 * idle, searchFloorMs);
  const worst = Math.max(...figures.poisonMs.map(([, ms]) => ms));
  return [
    verdictLine(seconds < secondsMax, `${server}, read < ${secondsMax} s: ${seconds.toFixed(1)}`),
    verdictLine(
      busy < max,
      `${server}, search p95 meanwhile < ${max.toFixed(0)} ms: ${busy.toFixed(1)}`,
    ),
    verdictLine(
      worst < poisonMaxMs,
      `${server}, the worst poison < ${poisonMaxMs} ms: ${worst.toFixed(0)}`,
    ),
  ];
}

/** A Markdown table of quantiles in milliseconds. */
export function walkTable(all: readonly WalkFigures[]): string {
  const rows = all.map(({ server, graph, subgraphMs, sizes, pathMs, lengths }) =>
    row([
      `${graph}: ${server}`,
      at(subgraphMs, [0.5, 0.95, 0.99]),
      at(sizes, [0.5, 0.95], 0),
      at(pathMs, [0.5, 0.95, 0.99]),
      `${lengths.length} of ${pathMs.length}: ${at(lengths, [0.5, 1], 0)}`,
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
    return server === 'embedded' ? verdictLine(p95 <= max, says) : `for information: ${says}`;
  };
  return [
    line('a subgraph of 5 hops', subgraphMs, subgraphP95MaxMs),
    line('a shortest path', pathMs, pathP95MaxMs),
  ];
}
