import { type DestinationStream, type LogFn, type Logger, pino, stdTimeFunctions } from 'pino';
import { createLogOutput } from './log-output.ts';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ['auto', 'json', 'pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

/**
 * Log lines as JSON objects with `level` (a name), `time` (ISO 8601, UTC) and `msg`. Credentials
 * are removed from each line.
 * @param to standard output by default
 */
export function createLog(level: LogLevel, to: DestinationStream = createLogOutput()): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: ['authorization', '*.authorization', '*.apiKey'], censor: '[hidden]' },
    hooks: { streamWrite: redactCredentials, logMethod: logOnce },
  };
  return pino(options, to);
}

/** An error that its source has logged, and that everybody meets after it. */
const isLogged = (fields: unknown): boolean =>
  Object((fields as { err?: unknown } | null)?.err).isLogged === true;

function logOnce(this: Log, given: Parameters<LogFn>, write: LogFn): void {
  if (!isLogged(given[0])) write.apply(this, given);
}

// Both take a time that grows with the line alone: anybody may have a URL logged.
const keys = /(mnk(?:_|%5F)[0-9A-Z]{12}(?:_|%5F))[0-9A-Z_%]+/gi;
const tokens = /\.eyJ[\w%.-]+/g;

/** A key keeps its public start, so that it can be revoked; a token its header, which all have. */
const redactCredentials = (line: string): string =>
  line.replace(keys, '$1[hidden]').replace(tokens, '.[hidden]');

/** Standard output in a format; `auto` is `pretty` on a terminal, else `json`. */
export async function createFormattedLogOutput(format: LogFormat): Promise<DestinationStream> {
  const output = createLogOutput();
  const isTerminal = process.stdout.isTTY;
  if (format === 'json' || (format === 'auto' && !isTerminal)) return output;
  const { prettyFactory } = await import('pino-pretty');
  const toText = prettyFactory({ colorize: isTerminal, translateTime: 'yyyy-mm-dd HH:MM:ss.l' });
  return { write: (line) => output.write(toText(line)) };
}
