import type { SettingName } from './settings.ts';

export type OtlpProtocol = 'http/protobuf' | 'http/json';

/** What OpenTelemetry exports; its SDK reads endpoints, headers and batches itself. */
export interface TelemetryConfig {
  readonly protocol: OtlpProtocol;
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly logs: boolean;
  readonly metricIntervalMs: number;
  readonly metricTimeoutMs: number;
  readonly logIntervalMs: number;
  /** Whether spans have queries and contents of memories. */
  readonly capturesContent: boolean;
  /** Variables that the SDK must not read as they are set; undefined: it must not read them. */
  readonly changedVariables: Readonly<Record<string, string | undefined>>;
}

/** Null: off, because no endpoint is set, or nothing is exported to it. */
export function readTelemetryConfig(
  value: (name: SettingName) => string | null,
  changedVariables: TelemetryConfig['changedVariables'],
): TelemetryConfig | null {
  if (value('OTEL_SDK_DISABLED') === 'true') return null;
  const isExported = (signal: 'TRACES' | 'METRICS' | 'LOGS'): boolean =>
    value(`OTEL_${signal}_EXPORTER`) === 'otlp' &&
    (value('OTEL_EXPORTER_OTLP_ENDPOINT') ?? value(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)) !==
      null;
  const signals = {
    traces: isExported('TRACES'),
    metrics: isExported('METRICS'),
    logs: isExported('LOGS'),
  };
  if (!Object.values(signals).includes(true)) return null;
  return {
    ...signals,
    protocol: value('OTEL_EXPORTER_OTLP_PROTOCOL') as OtlpProtocol,
    metricIntervalMs: Number(value('OTEL_METRIC_EXPORT_INTERVAL')),
    metricTimeoutMs: Number(value('OTEL_METRIC_EXPORT_TIMEOUT')),
    logIntervalMs: Number(value('OTEL_BLRP_SCHEDULE_DELAY')),
    capturesContent: value('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT') === 'true',
    changedVariables,
  };
}
