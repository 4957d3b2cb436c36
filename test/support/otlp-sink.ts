import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { decodeOtlp } from './otlp-protobuf.ts';

type OtlpSignal = 'traces' | 'metrics' | 'logs';

type OtlpValue = string | number | boolean;

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  /** 2: the operation failed. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, OtlpValue>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface OtlpLogRecord {
  readonly traceId: string;
  readonly spanId: string;
  readonly severity: number;
  readonly body: string;
  readonly attributes: Readonly<Record<string, OtlpValue>>;
}

interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly isMonotonic: boolean;
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, OtlpValue>>;
    readonly value: number;
    readonly count: number;
    readonly bounds: readonly number[];
    readonly buckets: readonly number[];
  }[];
}

/** A collector of OTLP over HTTP, as Protobuf and JSON, that keeps what it receives. */
export interface OtlpSink extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly headers: Record<string, string> }[];
  /** All payloads as text, to search for what must not be in them. */
  text(): string;
  spans(): OtlpSpan[];
  logs(): OtlpLogRecord[];
  /** Of the last export. */
  metrics(): OtlpMetric[];
  resources(): Readonly<Record<string, OtlpValue>>[];
  /** The status of responses from now on; null: none are sent. */
  respondWith(status: number | null): void;
}

/** A message of OTLP in its JSON form. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol, read by field names.
type Message = any;

const readValue = (value: Message = {}): OtlpValue =>
  value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue);

const attributesOf = (list: Message[] = []): Record<string, OtlpValue> =>
  Object.fromEntries(list.map(({ key, value }) => [key, readValue(value)]));

const toSpan = (span: Message): OtlpSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? '',
  name: span.name,
  kind: span.kind,
  status: span.status?.code ?? 0,
  attributes: attributesOf(span.attributes),
  links: (span.links ?? []).map(({ traceId, spanId }: Message) => ({ traceId, spanId })),
});

const toLogRecord = (record: Message): OtlpLogRecord => ({
  traceId: record.traceId ?? '',
  spanId: record.spanId ?? '',
  severity: record.severityNumber,
  body: String(readValue(record.body)),
  attributes: attributesOf(record.attributes),
});

function toMetric(metric: Message): OtlpMetric {
  const kind = (['gauge', 'sum', 'histogram'] as const).find((one) => one in metric) ?? 'gauge';
  return {
    name: metric.name,
    unit: metric.unit,
    kind,
    isMonotonic: metric[kind].isMonotonic ?? false,
    points: (metric[kind].dataPoints ?? []).map((point: Message) => ({
      attributes: attributesOf(point.attributes),
      value: Number(point.asDouble ?? point.asInt ?? point.sum),
      count: Number(point.count ?? 0),
      bounds: (point.explicitBounds ?? []).map(Number),
      buckets: (point.bucketCounts ?? []).map(Number),
    })),
  };
}

export async function startOtlpSink(): Promise<OtlpSink> {
  const payloads: { signal: OtlpSignal; message: Message }[] = [];
  const requests: { path: string; headers: Record<string, string> }[] = [];
  let status: number | null = 200;
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const type = request.headers['content-type'] ?? '';
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers as Record<string, string> });
    const signal = path.split('/').at(-1) as OtlpSignal;
    const sent = Buffer.concat(parts);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const message = type.includes('json') ? JSON.parse(String(body)) : decodeOtlp(signal, body);
    if (status === 200) payloads.push({ signal, message });
    if (status === null) return;
    response.writeHead(status, { 'content-type': type }).end(type.includes('json') ? '{}' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const messages = (signal: OtlpSignal): Message[] =>
    payloads.filter((one) => one.signal === signal).map(({ message }) => message);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    text: () => JSON.stringify(payloads),
    spans: () =>
      messages('traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }: Message) =>
          scopeSpans.flatMap(({ spans }: Message) => spans.map(toSpan)),
        ),
      ),
    logs: () =>
      messages('logs').flatMap(({ resourceLogs }) =>
        resourceLogs.flatMap(({ scopeLogs }: Message) =>
          scopeLogs.flatMap(({ logRecords }: Message) => logRecords.map(toLogRecord)),
        ),
      ),
    metrics: () =>
      (messages('metrics').at(-1)?.resourceMetrics ?? []).flatMap(({ scopeMetrics }: Message) =>
        scopeMetrics.flatMap(({ metrics }: Message) => metrics.map(toMetric)),
      ),
    resources: () =>
      payloads.flatMap(({ message }) =>
        [message.resourceSpans, message.resourceMetrics, message.resourceLogs]
          .flatMap((list) => list ?? [])
          .map(({ resource }: Message) => attributesOf(resource.attributes)),
      ),
    respondWith: (next) => {
      status = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
