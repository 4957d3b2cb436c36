import type { ServerName } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { renderVerdict } from '../verdict.ts';

const p95MaxMs: Partial<Record<ServerName, number>> = { embedded: 25, PostgreSQL: 10 };

export interface GraphFigures {
  readonly server: ServerName;
  readonly graph: string;
  readonly millis: readonly number[];
  /** How many memories each walk showed. */
  readonly sizes: readonly number[];
}

/** A Markdown table of quantiles in milliseconds. */
export function graphTable(all: readonly GraphFigures[]): string {
  const rows = all.map(({ server, graph, millis, sizes }) => {
    const times = [0.5, 0.95, 0.99].map((q) => quantile(millis, q).toFixed(1));
    const shown = [0.5, 0.95].map((q) => quantile(sizes, q).toFixed(0));
    return `| ${[`${graph}: ${server}`, millis.length, ...times, ...shown].join(' | ')} |`;
  });
  return [
    '| | walks | p50, ms | p95, ms | p99, ms | memories, p50 | memories, p95 |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

export function graphVerdict({ server, graph, millis }: GraphFigures): string {
  const [p95, max] = [quantile(millis, 0.95), p95MaxMs[server] ?? Number.POSITIVE_INFINITY];
  return renderVerdict(
    p95 <= max,
    `${graph}: ${server}, a walk, p95 ≤ ${max} ms: ${p95.toFixed(1)}`,
  );
}
