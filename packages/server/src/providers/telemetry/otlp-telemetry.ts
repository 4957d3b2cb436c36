import { performance } from 'node:perf_hooks';
import type { Logger } from '@opentelemetry/api-logs';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '../../kernel/clock.ts';
import type { TelemetryConfig } from '../../kernel/telemetry-config.ts';
import type { Tracer } from '../../kernel/tracing.ts';
import { Exporters } from './exporters.ts';
import { toLogRecord } from './log-records.ts';
import { createMetricProducer } from './metric-producer.ts';
import type { ExportLog, MetricSource, Telemetry, TelemetryDeps } from './telemetry.ts';
import { createTracer } from './tracer.ts';

const scopeName = 'mneme';
/** Waiting for exports at the end of the process; shorter if the collector has failed before. */
const flushMsMax = { working: 2_000, failing: 500 } as const;

interface Parts {
  readonly resource: Resource;
  readonly metricExporter: Awaited<ReturnType<Exporters['metrics']>> | null;
  readonly traces: BasicTracerProvider | null;
  readonly logs: LoggerProvider | null;
}

export class OtlpTelemetry implements Telemetry {
  readonly tracer: Tracer | null;
  readonly exportLogLine: ((line: string) => void) | null;
  readonly #config: TelemetryConfig;
  readonly #deps: TelemetryDeps;
  readonly #parts: Parts;
  readonly #outage: CollectorOutage;
  #deadlineMs = Number.POSITIVE_INFINITY;

  private constructor(
    config: TelemetryConfig,
    deps: TelemetryDeps,
    parts: Parts,
    outage: CollectorOutage,
  ) {
    const { traces, logs } = parts;
    this.#config = config;
    this.#deps = deps;
    this.#parts = parts;
    this.#outage = outage;
    this.tracer = traces && createTracer(traces.getTracer(scopeName, deps.version));
    this.exportLogLine = logs && createLogLineExport(logs.getLogger(scopeName, deps.version));
  }

  static async open(config: TelemetryConfig, deps: TelemetryDeps): Promise<OtlpTelemetry> {
    const outage = new CollectorOutage();
    const exporters = new Exporters(config.protocol, (signal, error) =>
      outage.record(signal, error),
    );
    const resource = resourceFromAttributes({
      'service.name': 'mneme',
      'service.version': deps.version,
      'service.instance.id': deps.ids.uuid(),
    }).merge(detectResources({ detectors: [envDetector] }));
    const [spanExporter, metricExporter, logExporter] = await Promise.all([
      config.traces ? exporters.traces() : null,
      config.metrics ? exporters.metrics() : null,
      config.logs ? exporters.logs() : null,
    ]);
    const traces =
      spanExporter &&
      new BasicTracerProvider({
        resource,
        spanProcessors: [new BatchSpanProcessor(spanExporter)],
      });
    const logs =
      logExporter &&
      new LoggerProvider({
        resource,
        processors: [
          new BatchLogRecordProcessor({
            exporter: logExporter,
            scheduledDelayMillis: config.logIntervalMs,
          }),
        ],
      });
    return new OtlpTelemetry(config, deps, { resource, metricExporter, traces, logs }, outage);
  }

  exportMetrics(source: MetricSource): AsyncDisposable {
    const { metricExporter: exporter, resource } = this.#parts;
    if (exporter === null) return { [Symbol.asyncDispose]: async () => undefined };
    const { clock, version } = this.#deps;
    const producer = createMetricProducer(
      source,
      { name: scopeName, version },
      { startMs: performance.timeOrigin, nowMs: () => clock.now().getTime() },
    );
    const { metricIntervalMs: exportIntervalMillis, metricTimeoutMs } = this.#config;
    const reader = new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis: Math.min(exportIntervalMillis, metricTimeoutMs),
      metricProducers: [producer],
    });
    const provider = new MeterProvider({ resource, readers: [reader] });
    return { [Symbol.asyncDispose]: () => this.#finish(provider.shutdown()) };
  }

  reportTo(log: ExportLog): void {
    this.#outage.log = log;
  }

  limitShutdown(timeoutMs: number): void {
    this.#deadlineMs = this.#deps.clock.monotonicMs() + timeoutMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { traces, logs } = this.#parts;
    // A failed export at the end is one of the outage.
    await this.#finish(Promise.allSettled([traces?.shutdown(), logs?.shutdown()]));
  }

  /** Waits for exports, but not longer than the shutdown may take. */
  async #finish(exports: Promise<unknown>): Promise<void> {
    const { clock } = this.#deps;
    const remainingMs = Math.max(0, this.#deadlineMs - clock.monotonicMs());
    await Promise.race([
      exports.catch(() => undefined),
      waitFor(clock, Math.min(flushMsMax[this.#outage.state], remainingMs)),
    ]);
  }
}

const waitFor = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve);
  });

const createLogLineExport =
  (logger: Logger) =>
  (line: string): void =>
    logger.emit(toLogRecord(line));

/** Logs the first failed export and the end of an outage, not each batch. */
class CollectorOutage {
  readonly #failing = new Set<string>();
  log: ExportLog | null = null;

  get state(): 'working' | 'failing' {
    return this.#failing.size === 0 ? 'working' : 'failing';
  }

  record(signal: string, error: Error | null): void {
    const { state } = this;
    if (error !== null) {
      this.#failing.add(signal);
      if (state === 'working')
        this.log?.warn({ signal, reason: error.message }, 'telemetry export failed');
      return;
    }
    if (!this.#failing.has(signal)) return;
    this.#failing.clear();
    this.log?.info({ signal }, 'telemetry export resumed');
  }
}
