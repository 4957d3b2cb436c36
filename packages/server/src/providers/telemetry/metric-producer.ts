import { type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { MetricSource } from './telemetry.ts';

type Metric = Readonly<MetricObjectWithValues<MetricValue<string>>>;

interface Interval {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** Makes the metrics of Prometheus those of OpenTelemetry, with the same names and labels. */
export const createMetricProducer = (
  source: MetricSource,
  scope: { readonly name: string; readonly version: string },
  { startMs, nowMs }: { readonly startMs: number; readonly nowMs: () => number },
): MetricProducer => ({
  async collect() {
    const metrics = await source();
    const interval = { startTime: millisToHrTime(startMs), endTime: millisToHrTime(nowMs()) };
    const converted = metrics.map((metric) => toMetricData(metric, interval));
    const scopeMetrics = [{ scope, metrics: converted }];
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
  },
});

/** Units of UCUM, by the suffix that Prometheus demands; for `1` it would add `_ratio`. */
function unitOf(name: string): string {
  const base = name.replace(/_total$/, '');
  if (base.endsWith('_seconds')) return 's';
  return base.endsWith('_bytes') ? 'By' : '';
}

function toMetricData(metric: Metric, interval: Interval): MetricData {
  const { name, help: description, values } = metric;
  const base = {
    descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // The type declares numbers of an enum, but the library returns names.
  if (String(metric.type) === 'histogram') {
    const dataPoints = toHistogramPoints(metric, interval);
    return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = values.map(({ labels, value }) => ({
    ...interval,
    attributes: toAttributes(labels),
    value,
  }));
  return String(metric.type) === 'counter'
    ? { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...base, dataPointType: DataPointType.GAUGE, dataPoints };
}

type Labels = Readonly<Partial<Record<string, string | number>>>;

const toAttributes = (labels: Labels): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));

/** With the name of the series: that of the metric and a suffix. */
type HistogramValue = MetricValue<string> & { readonly metricName?: string };

/** Buckets of Prometheus count everything below their bound, those of OpenTelemetry between two. */
function toHistogramPoints(
  { name, values }: Metric,
  interval: Interval,
): HistogramMetricData['dataPoints'] {
  const byLabels = Map.groupBy(values as readonly HistogramValue[], ({ labels }) => {
    const { le: _, ...others } = labels;
    return JSON.stringify(toAttributes(others));
  });
  return [...byLabels].map(([labels, series]) => {
    const readSeries = (suffix: string): number =>
      series.find((one) => one.metricName === `${name}_${suffix}`)?.value ?? 0;
    const buckets = series.filter((one) => one.metricName === `${name}_bucket`);
    const counts = buckets.map(({ value }, i) => value - (buckets[i - 1]?.value ?? 0));
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite);
    return {
      ...interval,
      attributes: JSON.parse(labels) as Record<string, string>,
      value: {
        buckets: { boundaries, counts },
        sum: readSeries('sum'),
        count: readSeries('count'),
      },
    };
  });
}
