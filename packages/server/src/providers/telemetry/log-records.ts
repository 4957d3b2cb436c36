import { ROOT_CONTEXT } from '@opentelemetry/api';
import { type LogRecord, SeverityNumber } from '@opentelemetry/api-logs';
import { activeSpan } from '../../kernel/tracing.ts';
import { OtelSpan } from './tracer.ts';

const severities: Readonly<Record<string, SeverityNumber>> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
};

/**
 * The fields that are exported. Others may name accounts, addresses of clients or stored things:
 * they stay in the log of the server.
 */
const exportedFields = new Set([
  ...['method', 'status', 'ms', 'reqId', 'code', 'operation', 'kind', 'job', 'outcome', 'reason'],
  ...['model', 'role', 'tool', 'program', 'thread', 'signal', 'count', 'bytes', 'seconds'],
]);

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly type?: string; readonly message?: string; readonly stack?: string };
}

const isPrimitive = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** The record of a line of the log, with the ids of the current trace. */
export function toLogRecord(text: string): LogRecord {
  const line = JSON.parse(text) as LogLine;
  const { level, time, msg = '', err } = line;
  const attributes: Record<string, string | number | boolean | undefined> = {};
  for (const [name, value] of Object.entries(line)) {
    if (exportedFields.has(name) && isPrimitive(value)) attributes[name] = value;
  }
  if (err !== undefined) {
    attributes['exception.type'] = err.type;
    attributes['exception.message'] = err.message;
    attributes['exception.stacktrace'] = err.stack;
  }
  const span = activeSpan();
  return {
    body: msg,
    severityNumber: severities[level] ?? SeverityNumber.UNSPECIFIED,
    severityText: level.toUpperCase(),
    timestamp: Date.parse(time),
    attributes,
    context: span instanceof OtelSpan ? span.context : ROOT_CONTEXT,
  };
}
