import { type Logger, pino } from 'pino';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on stdout. Credentials never reach them. */
export function createLog(level: LogLevel): Log {
  return pino({
    level,
    base: null,
    redact: { paths: ['authorization', '*.authorization', '*.apiKey'], censor: '[hidden]' },
  });
}
