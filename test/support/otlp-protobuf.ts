/** Decodes the messages of OTLP that the tests read, by opentelemetry-proto, to their JSON form. */

interface Field {
  readonly name: string;
  readonly type: 'string' | 'hex' | 'double' | 'fixed64' | 'varint' | 'bool' | Schema;
  readonly isList?: boolean;
}
type Schema = Readonly<Record<number, Field>>;

const one = (name: string, type: Field['type']): Field => ({ name, type });
const list = (name: string, type: Field['type']): Field => ({ name, type, isList: true });

const anyValue: Schema = {
  1: one('stringValue', 'string'),
  2: one('boolValue', 'bool'),
  3: one('intValue', 'varint'),
  4: one('doubleValue', 'double'),
};
const keyValue: Schema = { 1: one('key', 'string'), 2: one('value', anyValue) };
const resource: Schema = { 1: list('attributes', keyValue) };
const span: Schema = {
  1: one('traceId', 'hex'),
  2: one('spanId', 'hex'),
  4: one('parentSpanId', 'hex'),
  5: one('name', 'string'),
  6: one('kind', 'varint'),
  9: list('attributes', keyValue),
  13: list('links', { 1: one('traceId', 'hex'), 2: one('spanId', 'hex') }),
  15: one('status', { 3: one('code', 'varint') }),
};
const logRecord: Schema = {
  2: one('severityNumber', 'varint'),
  3: one('severityText', 'string'),
  5: one('body', anyValue),
  6: list('attributes', keyValue),
  9: one('traceId', 'hex'),
  10: one('spanId', 'hex'),
};
const numberPoint: Schema = {
  4: one('asDouble', 'double'),
  6: one('asInt', 'fixed64'),
  7: list('attributes', keyValue),
};
const histogramPoint: Schema = {
  4: one('count', 'fixed64'),
  5: one('sum', 'double'),
  6: list('bucketCounts', 'fixed64'),
  7: list('explicitBounds', 'double'),
  9: list('attributes', keyValue),
};
const metric: Schema = {
  1: one('name', 'string'),
  2: one('description', 'string'),
  3: one('unit', 'string'),
  5: one('gauge', { 1: list('dataPoints', numberPoint) }),
  7: one('sum', { 1: list('dataPoints', numberPoint), 3: one('isMonotonic', 'bool') }),
  9: one('histogram', { 1: list('dataPoints', histogramPoint) }),
};
const requestOf = (outer: string, inner: string, items: string, item: Schema): Schema => ({
  1: list(outer, {
    1: one('resource', resource),
    2: list(inner, { 2: list(items, item) }),
  }),
});
const requests = {
  traces: requestOf('resourceSpans', 'scopeSpans', 'spans', span),
  metrics: requestOf('resourceMetrics', 'scopeMetrics', 'metrics', metric),
  logs: requestOf('resourceLogs', 'scopeLogs', 'logRecords', logRecord),
} as const;

export const decodeOtlp = (signal: keyof typeof requests, body: Buffer): unknown =>
  decodeMessage(requests[signal], body);

class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }
  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
  bytes(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** The bytes of a field, or the number of a varint. */
function readRaw(reader: Reader, wireType: number): Buffer | number {
  if (wireType === 0) return reader.varint();
  if (wireType === 1) return reader.bytes(8);
  if (wireType === 2) return reader.bytes(reader.varint());
  if (wireType === 5) return reader.bytes(4);
  throw new Error(`unknown wire type ${wireType}`);
}

function decodeMessage(schema: Schema, body: Buffer): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const reader = new Reader(body); !reader.isAtEnd; ) {
    const tag = reader.varint();
    const raw = readRaw(reader, tag & 7);
    const field = schema[tag >> 3];
    if (field === undefined) continue;
    const { name, type, isList } = field;
    if (isList) {
      const items = isPacked(type, tag) ? unpack(type, raw as Buffer) : [decode(type, raw)];
      message[name] = [...((message[name] as unknown[] | undefined) ?? []), ...items];
    } else message[name] = decode(type, raw);
  }
  return message;
}

const isPacked = (type: Field['type'], tag: number): boolean =>
  (type === 'double' || type === 'fixed64') && (tag & 7) === 2;

const unpack = (type: Field['type'], raw: Buffer): unknown[] =>
  Array.from({ length: raw.length / 8 }, (_, i) => decode(type, raw.subarray(i * 8, i * 8 + 8)));

function decode(type: Field['type'], raw: Buffer | number): unknown {
  if (type === 'bool') return raw !== 0;
  if (typeof raw === 'number') return raw;
  if (type === 'string') return raw.toString('utf8');
  if (type === 'hex') return raw.toString('hex');
  if (type === 'double') return raw.readDoubleLE();
  if (type === 'fixed64') return Number(raw.readBigUInt64LE());
  return decodeMessage(type as Schema, raw);
}
