/** Writes docs/metrics.md from the metrics of the server; --check reports whether it is stale. */
import { readFileSync } from 'node:fs';
import {
  type MetricDefinition,
  metricDefinitions,
} from '../packages/server/src/kernel/metrics/definitions.ts';
import { writeOrCheck } from './generated-document.ts';

const template = new URL('./metrics.template.md', import.meta.url);

const renderRow = ([name, metric]: readonly [string, MetricDefinition]): string => {
  const labels = (metric.labels ?? []).map((label) => `\`${label}\``).join(', ');
  return `| \`${name}\` | ${metric.kind} | ${labels && `${labels} `}| ${metric.description} |`;
};

/** The page as it is committed. */
export function metricsText(): string {
  const rows = Object.entries(metricDefinitions).map(renderRow);
  const table = ['| metric | kind | labels | meaning |', '| --- | --- | --- | --- |', ...rows];
  return readFileSync(template, 'utf8').replace('<metrics>', table.join('\n'));
}

if (import.meta.main) {
  const [path, command] = ['docs/metrics.md', 'npm run metrics'];
  process.exitCode = writeOrCheck({ path, command, text: metricsText() }, process.argv);
}
