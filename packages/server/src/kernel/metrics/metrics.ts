import {
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { type AppLifetime, perApp } from '../per-app.ts';
import { type MetricDefinition, type MetricName, metricDefinitions } from './definitions.ts';

type Definitions = typeof metricDefinitions;
type NameOf<Kind extends MetricDefinition['kind']> = {
  [N in MetricName]: Definitions[N]['kind'] extends Kind ? N : never;
}[MetricName];
type LabelsOf<N extends MetricName> = Definitions[N] extends {
  labels: readonly (infer L extends string)[];
}
  ? Readonly<Record<L, string>>
  : Readonly<Record<never, string>>;

/** The metrics of one running service. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #byName = new Map<MetricName, Counter | Gauge | Histogram>();

  constructor() {
    const registers = [this.#registry];
    for (const [name, definition] of Object.entries(metricDefinitions)) {
      const { kind, description: help, labels = [] }: MetricDefinition = definition;
      const { buckets = [], labelValues = [] }: MetricDefinition = definition;
      const options = { name, help, labelNames: [...labels], registers };
      const metric =
        kind === 'histogram'
          ? new Histogram({ ...options, buckets: [...buckets] })
          : new (kind === 'counter' ? Counter : Gauge)(options);
      // A gauge without labels starts with 0, which alert rules take for a measured value.
      if (metric instanceof Gauge && labels.length === 0) metric.remove();
      if (metric instanceof Counter)
        for (const value of labelValues) metric.inc({ [labels[0] ?? '']: value }, 0);
      this.#byName.set(name as MetricName, metric);
    }
  }

  /** Adds to a counter. */
  count<N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>, value = 1): void {
    (this.#byName.get(name) as Counter).inc(labels, value);
  }

  /** Replaces a counter by a total that something else counts. */
  setTotal<N extends NameOf<'counter'>>(name: N, value: number): void {
    const counter = this.#byName.get(name) as Counter;
    counter.reset();
    counter.inc(value);
  }

  /** Adds a duration in seconds to a histogram. */
  observe<N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>, seconds: number): void {
    (this.#byName.get(name) as Histogram).observe(labels, seconds);
  }

  /** Replaces all values of a gauge: what is no longer there disappears. */
  setAll<N extends NameOf<'gauge'>>(
    name: N,
    values: Iterable<readonly [labels: LabelsOf<N>, value: number]>,
  ): void {
    const gauge = this.#byName.get(name) as Gauge;
    gauge.reset();
    for (const [labels, value] of values) gauge.set(labels, value);
  }

  /** Sets one value of a gauge with labels. */
  setValue<N extends NameOf<'gauge'>>(name: N, labels: LabelsOf<N>, value: number): void {
    (this.#byName.get(name) as Gauge).set(labels, value);
  }

  /** Sets a gauge without labels. */
  set<N extends NameOf<'gauge'>>(name: N, value: number): void {
    (this.#byName.get(name) as Gauge).set(value);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics as objects; a histogram has values for its buckets, its sum and its count. */
  read(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    return this.#registry.getMetricsAsJSON();
  }

  /** All metrics in the text format of Prometheus. */
  render(): Promise<string> {
    return this.#registry.metrics();
  }
}

export const metrics = perApp<AppLifetime, Metrics>(() => new Metrics());

/** Runs `fn` and adds its time to a histogram, also if it fails. */
export async function timed<T, N extends NameOf<'histogram'>>(
  app: AppLifetime & { readonly clock: { monotonicMs(): number } },
  name: N,
  labels: LabelsOf<N>,
  fn: () => Promise<T>,
): Promise<T> {
  const startedMs = app.clock.monotonicMs();
  try {
    return await fn();
  } finally {
    const seconds = (app.clock.monotonicMs() - startedMs) / 1_000;
    metrics.of(app).observe(name, labels, seconds);
  }
}

/** Sets gauges from the current state, when somebody reads the metrics. */
export type MetricCollector = (metrics: Metrics) => Promise<void> | void;

/** What each part of the service reads for the metrics. */
export const metricCollectors = perApp<AppLifetime, MetricCollector[]>(() => []);
