import { checkAnyText, checkInteger, checkOneOf, checkUrl, type Setting } from './setting.ts';

/** The specification has invalid values ignored with a warning, and the case of names as well. */
const tolerated = (check: Setting['check']) => ({ check, isTolerated: true }) as const;
const oneOf = (values: readonly string[]) =>
  ({ ...tolerated(checkOneOf(values)), ignoresCase: true }) as const;

const isOn = oneOf(['true', 'false']);
const endpoint = tolerated(checkUrl(['http:', 'https:']));
const exporter = oneOf(['otlp', 'none']);
const protocol = oneOf(['http/protobuf', 'http/json']);
const samplers = ['always_on', 'always_off', 'traceidratio'];

const keyValueList = (text: string): string | null =>
  text.split(',').every((pair) => pair.trim() === '' || /^[^=]+=/.test(pair.trim()))
    ? null
    : 'must be a list such as key1=value1,key2=value2';

const ratio = (text: string): string | null =>
  /^(?:0|1|0?\.\d+|[01]\.0+|0\.\d+)$/.test(text) ? null : 'must be a number from 0 to 1';

const ofSignal = (signal: string): string => `The same for ${signal}: the full URL`;

/** The standard variables of OpenTelemetry. The SDK reads those that the server does not. */
export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    description:
      'Base URL of an OTLP/HTTP collector, such as `http://localhost:4318`; unset: no ' +
      'OpenTelemetry. `/v1/traces`, `/v1/metrics` and `/v1/logs` are appended',
    ...endpoint,
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { description: ofSignal('traces'), ...endpoint },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: { description: ofSignal('metrics'), ...endpoint },
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: { description: ofSignal('logs'), ...endpoint },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    description: '`http/protobuf` or `http/json`',
    defaultValue: 'http/protobuf',
    ...protocol,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    description: 'Headers of every export, such as `authorization=Bearer%20KEY`',
    secret: true,
    ...tolerated(keyValueList),
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    description: 'Timeout of one export in milliseconds, with its retries',
    defaultValue: '10000',
    ...tolerated(checkInteger(1, 600_000)),
  },
  OTEL_EXPORTER_OTLP_COMPRESSION: {
    description: '`gzip` compresses exports',
    defaultValue: 'none',
    ...oneOf(['gzip', 'none']),
  },
  OTEL_EXPORTER_OTLP_CERTIFICATE: {
    description: 'File with the certificates that the collector’s is checked against (PEM)',
    check: checkAnyText,
  },
  OTEL_SDK_DISABLED: {
    description: '`true`: no OpenTelemetry, whatever else is set',
    defaultValue: 'false',
    ...isOn,
  },
  OTEL_TRACES_EXPORTER: {
    description: '`none`: no traces',
    defaultValue: 'otlp',
    ...exporter,
  },
  OTEL_METRICS_EXPORTER: {
    description: '`none`: no metrics',
    defaultValue: 'otlp',
    ...exporter,
  },
  OTEL_LOGS_EXPORTER: { description: '`none`: no logs', defaultValue: 'otlp', ...exporter },
  OTEL_SERVICE_NAME: {
    description: 'The name of the service in all signals',
    defaultValue: 'mneme',
    check: checkAnyText,
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    description: 'More attributes of all signals, such as `deployment.environment.name=prod`',
    ...tolerated(keyValueList),
  },
  OTEL_TRACES_SAMPLER: {
    description:
      `Which traces are recorded: ${samplers.join(', ')}, ` +
      'or these with `parentbased_` in front',
    defaultValue: 'parentbased_always_on',
    ...oneOf([...samplers, ...samplers.map((name) => `parentbased_${name}`)]),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    description: 'The share of traces that `traceidratio` records, from 0 to 1',
    defaultValue: '1',
    ...tolerated(ratio),
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    description: 'Milliseconds between exports of spans',
    defaultValue: '5000',
    ...tolerated(checkInteger(1, 600_000)),
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    description: 'Spans that wait for export; more are dropped',
    defaultValue: '2048',
    ...tolerated(checkInteger(1, 1_000_000)),
  },
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: {
    description: 'Spans of one export',
    defaultValue: '512',
    ...tolerated(checkInteger(1, 1_000_000)),
  },
  OTEL_BLRP_SCHEDULE_DELAY: {
    description: 'Milliseconds between exports of log records',
    defaultValue: '1000',
    ...tolerated(checkInteger(1, 600_000)),
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    description: 'Milliseconds between exports of metrics',
    defaultValue: '60000',
    ...tolerated(checkInteger(10, 86_400_000)),
  },
  OTEL_METRIC_EXPORT_TIMEOUT: {
    description: 'Milliseconds in which metrics are read and exported, at most the interval',
    defaultValue: '30000',
    ...tolerated(checkInteger(1, 600_000)),
  },
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: {
    description: '`true` adds queries and contents of memories to spans',
    defaultValue: 'false',
    ...isOn,
  },
} as const satisfies Record<string, Setting>;
