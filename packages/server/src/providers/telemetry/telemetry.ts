import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Tracer } from '../../kernel/tracing.ts';

/** Reads the current metrics of the process. */
export type MetricSource = () => Promise<
  readonly Readonly<MetricObjectWithValues<MetricValue<string>>>[]
>;

export interface ExportLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface TelemetryDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
}

/** The exports of OpenTelemetry. Disposal sends what is left, for at most two seconds. */
export interface Telemetry extends AsyncDisposable {
  /** Null: traces are off. */
  readonly tracer: Tracer | null;
  /** Exports a line of the log, which is JSON; null: logs are off. */
  readonly exportLogLine: ((line: string) => void) | null;
  /** Exports metrics periodically, and once more at its disposal. */
  exportMetrics(source: MetricSource): AsyncDisposable;
  /** Where the first failure of an outage of the collector is logged, and its end. */
  reportTo(log: ExportLog): void;
  /** From now on, disposals together take at most so long. */
  limitShutdown(timeoutMs: number): void;
}
