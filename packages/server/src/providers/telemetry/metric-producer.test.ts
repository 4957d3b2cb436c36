import { DataPointType } from '@opentelemetry/sdk-metrics';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createMetricProducer } from './metric-producer.ts';

const bounds = [0.1, 1, 10];

async function exportHistogram(values: readonly { readonly stage: string; readonly s: number }[]) {
  const registry = new Registry();
  const histogram = new Histogram({
    name: 'stage_seconds',
    help: 'Time of a stage',
    labelNames: ['stage'],
    buckets: bounds,
    registers: [registry],
  });
  for (const { stage, s } of values) histogram.observe({ stage }, s);
  const producer = createMetricProducer(
    () => registry.getMetricsAsJSON(),
    { name: 'test', version: '1' },
    { startMs: 1_000, nowMs: () => 61_000 },
  );
  const { resourceMetrics } = await producer.collect();
  const [metric] = resourceMetrics.scopeMetrics[0]?.metrics ?? [];
  if (metric?.dataPointType !== DataPointType.HISTOGRAM) throw new Error('no histogram');
  return metric;
}

describe('the metrics of OpenTelemetry', () => {
  it('count in each bucket what lies between its bounds, as the histograms of Prometheus', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            stage: fc.constantFrom('embed', 'rank'),
            s: fc.double({ min: 0, max: 100, noNaN: true }),
          }),
          { maxLength: 30 },
        ),
        async (values) => {
          const { dataPoints } = await exportHistogram(values);
          const stages = new Set(values.map(({ stage }) => stage));
          expect(dataPoints.map(({ attributes }) => attributes.stage).sort()).toEqual(
            [...stages].sort(),
          );
          for (const { attributes, value } of dataPoints) {
            const own = values.filter(({ stage }) => stage === attributes.stage);
            const limits = [Number.NEGATIVE_INFINITY, ...bounds, Number.POSITIVE_INFINITY];
            const counts = limits
              .slice(1)
              .map((to, i) => own.filter(({ s }) => s > (limits[i] ?? 0) && s <= to).length);
            expect(value.buckets).toEqual({ boundaries: bounds, counts });
            expect(value.count).toBe(own.length);
            expect(value.sum).toBeCloseTo(own.reduce((sum, { s }) => sum + s, 0));
          }
        },
      ),
      { numRuns: 50 },
    ));

  it('have a unit, and times from the start of the process', async () => {
    const metric = await exportHistogram([{ stage: 'rank', s: 1 }]);
    expect(metric.descriptor).toMatchObject({ name: 'stage_seconds', unit: 's' });
    expect(metric.dataPoints[0]).toMatchObject({ startTime: [1, 0], endTime: [61, 0] });
  });
});
