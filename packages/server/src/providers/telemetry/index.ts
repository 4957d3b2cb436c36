import type { TelemetryConfig } from '../../kernel/telemetry-config.ts';
import type { Telemetry, TelemetryDeps } from './telemetry.ts';

export type { Telemetry } from './telemetry.ts';

/** Loads the SDK of OpenTelemetry, which nothing else does. */
export async function openTelemetry(
  config: TelemetryConfig,
  deps: TelemetryDeps,
): Promise<Telemetry> {
  const { OtlpTelemetry } = await import('./otlp-telemetry.ts');
  return OtlpTelemetry.open(config, deps);
}
