import { pluralize } from '../format.ts';
import { renderTable } from '../output/table.ts';
import type { ChangedQuestion, Comparison } from './comparison.ts';
import type { ReliabilityBucket } from './metrics.ts';
import type { RunOptions } from './run.ts';
import { type MetricName, type Metrics, metricNames, type StatusCounts } from './summary.ts';

/** What an evaluation prints; with `--json` as it is. */
export interface EvaluationReport {
  readonly file: string;
  readonly started_at: string;
  readonly options: RunOptions;
  readonly questions: number;
  readonly unanswerable: number;
  readonly metrics: Metrics;
  /** How many questions had each status of a model. */
  readonly models: StatusCounts;
  readonly reliability: readonly ReliabilityBucket[];
  readonly compared_with:
    | (Comparison & { readonly started_at: string; readonly options: RunOptions })
    | null;
  /** Null if the run was not saved. */
  readonly saved_as: string | null;
  /** Requirements of --fail-below that are not met. */
  readonly unmet: readonly string[];
}

const labels: Partial<Record<MetricName, string>> = {
  mrr: 'MRR',
  'ndcg@10': 'nDCG@10',
  confident_without_answer: 'score ≥ .5 without answer',
  calibration_error: 'calibration error',
  latency_p50_ms: 'latency p50',
  latency_p95_ms: 'latency p95',
};

/** Metrics with the difference from the earlier run, scores against hits, changed questions. */
export function describeEvaluation(report: EvaluationReport, width: number | null): string[] {
  const { compared_with: compared } = report;
  const answerable = report.questions - report.unanswerable;
  const rows = metricNames
    .filter((name) => report.metrics[name] !== null)
    .map((name) => [
      labels[name] ?? name,
      formatMetric(name, report.metrics[name]),
      compared ? formatDifference(name, compared.differences[name]) : '',
    ]);
  const heading = ['METRIC', 'VALUE', compared ? 'CHANGE' : ''];
  return [
    `${pluralize(answerable, 'question')} with an answer, ${report.unanswerable} without; ` +
      describeOptions(report.options),
    ...describeStatuses(report.models),
    ...(compared
      ? [
          `compared with the run of ${compared.started_at} (${describeOptions(compared.options)})` +
            ` over ${pluralize(compared.common_questions, 'question')}`,
        ]
      : []),
    '',
    ...renderTable([heading, ...rows], { width }),
    ...describeReliability(report.reliability, width),
    ...describeChanges(compared?.changed ?? [], width),
    ...(report.saved_as === null ? [] : ['', `saved as ${report.saved_as}`]),
  ];
}

const describeOptions = ({ recall, limit, rewrite, rerank }: RunOptions): string =>
  [
    recall ? 'recall' : 'search',
    `limit ${limit}`,
    ...(rewrite ? ['rewrite'] : []),
    ...(rerank === null ? [] : [rerank ? 'rerank' : 'no rerank']),
  ].join(', ');

const describeStatuses = (models: StatusCounts): string[] =>
  Object.entries(models).flatMap(([role, counts]) => {
    const parts = Object.entries(counts).map(([status, count]) => `${status} ${count}`);
    return parts.length === 0 ? [] : [`${role}: ${parts.join(', ')}`];
  });

const isLatency = (name: MetricName): boolean => name.startsWith('latency');

const formatMetric = (name: MetricName, value: number | null): string => {
  if (value === null) return '';
  return isLatency(name) ? `${value.toFixed(1)} ms` : value.toFixed(3);
};

function formatDifference(name: MetricName, difference: number | null): string {
  if (difference === null) return '';
  const text = formatMetric(name, Math.abs(difference));
  if (/^0\.0+(?: ms)?$/.test(text)) return '=';
  return `${difference > 0 ? '+' : '−'}${text}`;
}

function describeReliability(
  buckets: readonly ReliabilityBucket[],
  width: number | null,
): string[] {
  if (buckets.length === 0) return [];
  const rows = buckets.map(({ from, to, count, mean_score, hit_rate }) => [
    `${from.toFixed(1)}–${to.toFixed(1)}`,
    String(count),
    mean_score.toFixed(2),
    hit_rate.toFixed(2),
  ]);
  return ['', ...renderTable([['SCORE', 'RESULTS', 'MEAN SCORE', 'HITS'], ...rows], { width })];
}

function describeChanges(changed: readonly ChangedQuestion[], width: number | null): string[] {
  return (['better', 'worse'] as const).flatMap((change) => {
    const those = changed.filter((one) => one.change === change);
    if (those.length === 0) return [];
    const rows = those.map(({ line, query, before, after }) => [
      `line ${line}`,
      `${formatRanks(before)} → ${formatRanks(after)}`,
      query,
    ]);
    const table = renderTable(rows, { width, textColumns: [2] });
    return [
      '',
      `${pluralize(those.length, 'question')} got ${change} (ranks before → after):`,
    ].concat(table);
  });
}

const formatRanks = (ranks: readonly (number | null)[]): string =>
  ranks.map((rank) => (rank === null ? '–' : String(rank))).join(' ');
