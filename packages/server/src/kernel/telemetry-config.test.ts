import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import type { Environment } from './settings.ts';

const telemetryOf = (env: Environment) => readConfig(env).config.telemetry;
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

function issueOf(env: Environment): string | undefined {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.issues[0];
    throw error;
  }
  return undefined;
}

describe('OpenTelemetry', () => {
  it.each([
    ['no endpoint is set', {}],
    ['the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
    [
      'no signal is exported',
      {
        ...endpoint,
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_LOGS_EXPORTER: 'none',
      },
    ],
  ])('is off if %s', (_, env) => {
    expect(telemetryOf(env)).toBeNull();
  });

  it('exports all signals to an endpoint, with the defaults of the specification', () => {
    expect(telemetryOf(endpoint)).toEqual({
      protocol: 'http/protobuf',
      traces: true,
      metrics: true,
      logs: true,
      metricIntervalMs: 60_000,
      metricTimeoutMs: 30_000,
      logIntervalMs: 1_000,
      capturesContent: false,
    });
  });

  it('exports only the signals that have an endpoint', () => {
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' };
    expect(telemetryOf(env)).toMatchObject({ traces: true, metrics: false, logs: false });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL must be one of/],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /^OTEL_TRACES_EXPORTER must be one of otlp, none/],
    [{ OTEL_TRACES_SAMPLER_ARG: '2' }, /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'prod' }, /^OTEL_RESOURCE_ATTRIBUTES must be a list such as/],
  ])('refuses %j', (env, issue) => {
    expect(issueOf(env)).toMatch(issue);
  });

  it.each(['0', '1', '0.25', '.5', '1.0'])('accepts %s as a share of traces', (share) => {
    expect(issueOf({ OTEL_TRACES_SAMPLER_ARG: share })).toBeUndefined();
  });

  it('does not repeat the value of a header, which may be a key', () => {
    const issue = issueOf({ OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' });
    expect(issue).toMatch(/^OTEL_EXPORTER_OTLP_HEADERS must be a list/);
    expect(issue).not.toContain('hunter2');
  });
});
