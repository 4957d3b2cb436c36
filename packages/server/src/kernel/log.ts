import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines, on stdout unless told. Credentials never reach them, wherever they were put. */
export function createLog(level: LogLevel, to?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    redact: { paths: ['authorization', '*.authorization', '*.apiKey'], censor: '[hidden]' },
    hooks: { streamWrite: withoutCredentials },
  };
  return to ? pino(options, to) : pino(options);
}

const keys = /(mnk(?:_|%5F)[0-9A-Z]{12}(?:_|%5F))[0-9A-Z_%]+/gi;
const tokens = /eyJ[\w-]*\.[\w-]+\.[\w-]+/g;

/** A key keeps its public start, so that it can be revoked; of a token nothing is left. */
const withoutCredentials = (line: string): string =>
  line.replace(keys, '$1[hidden]').replace(tokens, '[hidden]');
