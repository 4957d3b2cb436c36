import { renderVerdict } from '../verdict.ts';
import type { RetrievalMetrics } from './metrics.ts';

/** A figure that has to reach a limit. */
export interface Threshold {
  readonly description: string;
  readonly value: number;
  readonly min: number;
  /** How the value is shown. */
  readonly unit: '×' | '%';
}

/** What one part found, for people as lines and for machines as JSON. */
export interface BenchmarkReport {
  readonly lines: readonly string[];
  readonly thresholds: readonly Threshold[];
  readonly figures: unknown;
}

export const isThresholdMet = ({ value, min }: Threshold): boolean => value >= min;

export function renderThreshold(bar: Threshold): string {
  const shown = (value: number): string =>
    bar.unit === '%' ? `${formatPercent(value)} %` : `${value.toFixed(2)} ×`;
  return renderVerdict(
    isThresholdMet(bar),
    `${bar.description} ≥ ${shown(bar.min)}: ${shown(bar.value)}`,
  );
}

/** A share as per cent, one digit. */
export const formatPercent = (share: number): string => (100 * share).toFixed(1);

/** A Markdown table; cells of the first column stand left. */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)];
}

const columns = {
  'R@5': 'recall5',
  'R@10': 'recall10',
  'R@20': 'recall20',
  'R@50': 'recall50',
  'any@10': 'any10',
  MRR: 'mrr',
  'nDCG@10': 'ndcg10',
} as const satisfies Record<string, keyof RetrievalMetrics>;
export type MetricColumn = keyof typeof columns;

export interface BaselineComparison {
  readonly name: string;
  readonly ours: RetrievalMetrics;
  readonly baseline: RetrievalMetrics;
}

/** Each cell has ours and BM25's, in per cent. */
export function metricsTable(
  rows: readonly BaselineComparison[],
  shown: readonly MetricColumn[],
): string[] {
  const cells = ({ name, ours, baseline }: BaselineComparison): string[] => [
    name,
    String(ours.count),
    ...shown.map(
      (one) => `${formatPercent(ours[columns[one]])} / ${formatPercent(baseline[columns[one]])}`,
    ),
  ];
  return renderTable(['ours / BM25', 'n', ...shown], rows.map(cells));
}

/** ours ÷ BM25; how much more is infinite where BM25 finds nothing. */
export const ratioOf = (
  { ours, baseline }: BaselineComparison,
  name: keyof RetrievalMetrics,
): number => ours[name] / baseline[name];
