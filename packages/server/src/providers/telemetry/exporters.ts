import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { OtlpProtocol } from '../../kernel/telemetry-config.ts';

type Signal = 'traces' | 'metrics' | 'logs';

/** Receives the result of each export. */
type OnResult = (signal: Signal, error: Error | null) => void;

interface Exporter<T> {
  export(items: T, done: (result: ExportResult) => void): void;
}

function observeResults<T, E extends Exporter<T>>(
  exporter: E,
  notify: (error: Error | null) => void,
): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      const isSuccess = result.code === ExportResultCode.SUCCESS;
      notify(isSuccess ? null : (result.error ?? new Error('unknown error')));
      done(result);
    });
  return exporter;
}

/** The exporters read endpoint, headers, timeout and compression from the environment. */
export class Exporters {
  readonly #protocol: OtlpProtocol;
  readonly #onResult: OnResult;

  constructor(protocol: OtlpProtocol, onResult: OnResult) {
    this.#protocol = protocol;
    this.#onResult = onResult;
  }

  async traces(): Promise<SpanExporter> {
    const { OTLPTraceExporter } =
      this.#protocol === 'http/json'
        ? await import('@opentelemetry/exporter-trace-otlp-http')
        : await import('@opentelemetry/exporter-trace-otlp-proto');
    return this.#observe('traces', new OTLPTraceExporter());
  }

  async metrics(): Promise<PushMetricExporter> {
    const { OTLPMetricExporter } =
      this.#protocol === 'http/json'
        ? await import('@opentelemetry/exporter-metrics-otlp-http')
        : await import('@opentelemetry/exporter-metrics-otlp-proto');
    return this.#observe('metrics', new OTLPMetricExporter());
  }

  async logs(): Promise<LogRecordExporter> {
    const { OTLPLogExporter } =
      this.#protocol === 'http/json'
        ? await import('@opentelemetry/exporter-logs-otlp-http')
        : await import('@opentelemetry/exporter-logs-otlp-proto');
    return this.#observe('logs', new OTLPLogExporter());
  }

  #observe<T, E extends Exporter<T>>(signal: Signal, exporter: E): E {
    return observeResults<T, E>(exporter, (error) => this.#onResult(signal, error));
  }
}
