import { type DestinationStream, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import { createLogOutput } from './log-output.ts';
import { activeSpan } from './tracing.ts';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

/**
 * Logs lines as JSON objects with `level` (a name), `time` (ISO 8601, UTC) and `msg`, and redacts
 * credentials.
 * @param to stdout by default
 * @param isTraced adds `trace_id` and `span_id` to lines within a trace
 */
export function createLog(
  level: LogLevel,
  to: DestinationStream = createLogOutput(),
  { isTraced = false }: { readonly isTraced?: boolean } = {},
): Log {
  const options = {
    ...(isTraced && { mixin: traceFields }),
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ['authorization', '*.authorization', '*.apiKey'], censor: '[hidden]' },
    hooks: { streamWrite: redactCredentials, logMethod: logOnce },
  };
  return pino(options, to);
}

/** Named as OpenTelemetry names them in logs of other formats. */
function traceFields(): Record<string, string> {
  const span = activeSpan();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** Whether the source of an error has already logged it; many callers may receive the error. */
const isLogged = (fields: unknown): boolean =>
  Object((fields as { err?: unknown } | null)?.err).isLogged === true;

function logOnce(this: Log, parameters: Parameters<LogFn>, write: LogFn): void {
  if (!isLogged(parameters[0])) write.apply(this, parameters);
}

// Both patterns run in linear time, because clients control logged URLs.
const keyPattern = /(mnk(?:_|%5F)[0-9A-Z]{12}(?:_|%5F))[0-9A-Z_%]+/gi;
const tokenPattern = /\.eyJ[\w%.-]+/g;

/** Redacts a key except its public prefix, and a token except its header. */
const redactCredentials = (line: string): string =>
  line.replace(keyPattern, '$1[hidden]').replace(tokenPattern, '.[hidden]');

/** Stdout in a format; `auto` is `pretty` on a terminal, otherwise `json`. */
export async function createFormattedLogOutput(format: LogFormat): Promise<DestinationStream> {
  const output = createLogOutput();
  const isTerminal = process.stdout.isTTY;
  if (format === 'json' || (format === 'auto' && !isTerminal)) return output;
  const { prettyFactory } = await import('pino-pretty');
  const toText = prettyFactory({ colorize: isTerminal, translateTime: 'yyyy-mm-dd HH:MM:ss.l' });
  return { write: (line) => output.write(toText(line)) };
}
