import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import type { Environment } from './settings.ts';

const telemetryOf = (env: Environment) => readConfig(env).config.telemetry;
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

const warningsOf = (env: Environment): readonly string[] => readConfig(env).warnings;

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
      changedVariables: {},
    });
  });

  it('exports only the signals that have an endpoint', () => {
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' };
    expect(telemetryOf(env)).toMatchObject({ traces: true, metrics: false, logs: false });
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json, not "grpc": ' +
        'http/protobuf is used instead',
    ],
    [
      { OTEL_TRACES_EXPORTER: 'zipkin' },
      'OTEL_TRACES_EXPORTER must be one of otlp, none, not "zipkin": otlp is used instead',
    ],
    [
      { OTEL_TRACES_SAMPLER_ARG: '2' },
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "2": 1 is used instead',
    ],
    [
      { OTEL_METRIC_EXPORT_INTERVAL: '5s' },
      'OTEL_METRIC_EXPORT_INTERVAL must be an integer from 10 to 86400000, not "5s": ' +
        '60000 is used instead',
    ],
    [
      { OTEL_RESOURCE_ATTRIBUTES: 'prod' },
      'OTEL_RESOURCE_ATTRIBUTES must be a list such as key1=value1,key2=value2, not "prod": ' +
        'it is ignored',
    ],
  ])('warns once of %j, says what is used instead, and starts', (env, warning) => {
    const [name = ''] = Object.keys(env);
    expect(warningsOf({ ...endpoint, ...env })).toEqual([warning]);
    const { changedVariables, ...config } = telemetryOf({ ...endpoint, ...env }) ?? {};
    expect({ ...config, changedVariables: {} }).toEqual(telemetryOf(endpoint));
    expect(changedVariables).toEqual({ [name]: undefined });
  });

  it('is off if the endpoint is invalid', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' };
    expect(telemetryOf(env)).toBeNull();
    expect(warningsOf(env)).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL of http: or https:, not "collector:4318": ' +
        'it is ignored',
    ]);
  });

  it('ignores the case of names, as the specification does', () => {
    expect(telemetryOf({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toBeNull();
    const env = { ...endpoint, OTEL_TRACES_SAMPLER: 'Always_Off', OTEL_LOGS_EXPORTER: 'None' };
    expect(telemetryOf(env)).toMatchObject({
      logs: false,
      changedVariables: { OTEL_TRACES_SAMPLER: 'always_off', OTEL_LOGS_EXPORTER: 'none' },
    });
    expect(warningsOf(env)).toEqual([]);
  });

  it.each(['0', '1', '0.25', '.5', '1.0'])('accepts %s as a share of traces', (share) => {
    expect(warningsOf({ OTEL_TRACES_SAMPLER_ARG: share })).toEqual([]);
  });

  it('does not repeat the value of a header, which may be a key', () => {
    const [warning] = warningsOf({ OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' });
    expect(warning).toMatch(/^OTEL_EXPORTER_OTLP_HEADERS must be a list/);
    expect(warning).not.toContain('hunter2');
  });
});
