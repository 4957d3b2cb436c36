import { MnemeError } from '@mneme/sdk';
import { toOneLine } from './format.ts';

/** What went wrong on this side, for a person to mend; the service's refusals are MnemeErrors. */
export class CliError extends Error {
  override readonly name = 'Fault';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** `mneme: code: message` and a line per faulty field; null for what only a stack explains. */
export function renderError(error: unknown, url: string): string[] | null {
  if (error instanceof MnemeError) return renderApiError(error);
  if (error instanceof CliError) return [formatErrorLine(error.code, error.message)];
  const reason = connectionFailureReason(error);
  if (reason === null) return null;
  const message = `No answer from ${url} (${reason}). Does the service run? MNEME_URL says where.`;
  return [formatErrorLine('unreachable', message)];
}

/** The first line of every failure. */
export const formatErrorLine = (code: string, message: string): string =>
  `mneme: ${toOneLine(code)}: ${toOneLine(message)}`;

function renderApiError({ code, message, fields, retryAfterSeconds }: MnemeError): string[] {
  const wait = retryAfterSeconds === null ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const faults = Object.entries(fields).map(
    ([field, fault]) =>
      `  ${toOneLine(field)}: ${toOneLine(fault.message)} (${toOneLine(fault.code)})`,
  );
  return [formatErrorLine(code, `${message}${wait}`), ...faults];
}

/** Said by a service on its way out or too busy, or by a proxy in front of one that is away. */
const transientStatuses = [429, 502, 503, 504];

/** Whether asking again later may help: no whole answer, or one that says to come again. */
export const isTransientError = (error: unknown): boolean =>
  isUnreachableError(error) ||
  (error instanceof MnemeError && transientStatuses.includes(error.status));

/** Nobody was there, or whoever was did not answer in time. */
export const isUnreachableError = (error: unknown): boolean =>
  connectionFailureReason(error) !== null;

/** Why there was no whole answer; null where the error tells of something else. */
function connectionFailureReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'TimeoutError') return 'it took too long';
  // fetch has no class for this: a TypeError with one of these messages, the reason inside.
  if (!(error instanceof TypeError) || !/^(?:fetch failed|terminated)$/.test(error.message)) {
    return null;
  }
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code || cause?.message || 'the connection was lost';
}
