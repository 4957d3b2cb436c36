import type { EngineLog } from './engine-log.ts';
import { NodeUnavailable } from './errors.ts';

/**
 * Logs that background work failed, and will be tried again. A node that does not respond has been
 * logged already, and would fail the work of each second.
 */
export function logFailure(
  log: EngineLog,
  error: unknown,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const level = error instanceof NodeUnavailable ? 'debug' : 'error';
  log[level]({ err: error, ...fields }, message);
}
