import { MnemeError } from '@mneme/sdk';
import { toOneLine } from './output/printable.ts';

/** An error of the CLI itself that the user can correct; errors of the API are MnemeErrors. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** An invalid command, option or argument; nothing was sent. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super('usage', message);
  }
}

/** A valid command that must be repeated with --yes; nothing was sent. */
export class ConfirmationRequiredError extends UsageError {}

/** What the user sees for the names of the API. */
export interface ErrorTerms {
  readonly field: (field: string) => string;
  readonly message: (message: string) => string;
}

/** The names of the API themselves. */
export const apiTerms: ErrorTerms = { field: (field) => field, message: (message) => message };

/**
 * `mneme: code: message` and a line per invalid field; null for errors that need a stack.
 *
 * @param terms what fields and messages of the API are called on the command line
 */
export function renderError(
  error: unknown,
  url: string,
  terms: ErrorTerms = apiTerms,
): string[] | null {
  if (error instanceof MnemeError) return renderApiError(error, terms);
  if (error instanceof CliError) return [formatErrorLine(error.code, error.message)];
  const reason = connectionFailureReason(error);
  if (reason === null) return null;
  const remedy = reason === 'ERR_SSL_WRONG_VERSION_NUMBER' ? plainHttpRemedy : startRemedy;
  const message = `No response from ${url} (${reason}). ${remedy}`;
  return [formatErrorLine('unreachable', message)];
}

const startRemedy = 'Start the service, or check MNEME_URL.';
const plainHttpRemedy = 'This port has no TLS: use http:// in MNEME_URL, or the port of the proxy.';

/** The first line of every failure. */
export const formatErrorLine = (code: string, message: string): string =>
  `mneme: ${toOneLine(code)}: ${toOneLine(message)}`;

function renderApiError(
  { code, message, details, fields, retryAfterSeconds }: MnemeError,
  terms: ErrorTerms,
): string[] {
  const wait = retryAfterSeconds === null ? '' : ` Try again in ${retryAfterSeconds} s.`;
  const { required_scope: scope } = details as { readonly required_scope?: unknown };
  const missing = typeof scope === 'string' ? ` The key needs the scope ${scope}.` : '';
  const fieldErrors = Object.entries(fields).map(
    ([field, error]) =>
      `  ${toOneLine(terms.field(field))}: ${toOneLine(error.message)} (${toOneLine(error.code)})`,
  );
  return [formatErrorLine(code, `${terms.message(message)}${missing}${wait}`), ...fieldErrors];
}

/** From a service that is stopping or overloaded, or from a proxy that cannot reach it. */
const transientStatuses = [429, 502, 503, 504];

/** Whether a retry may succeed: no complete response, or a status that says to retry. */
export const isTransientError = (error: unknown): boolean =>
  isUnreachableError(error) ||
  (error instanceof MnemeError && transientStatuses.includes(error.status));

/** No connection, a lost connection or a timeout. */
export const isUnreachableError = (error: unknown): boolean =>
  connectionFailureReason(error) !== null;

/** Why there was no complete response; null for any other error. */
function connectionFailureReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'TimeoutError') return 'timeout';
  // fetch has no error class for this: it throws a TypeError with one of these messages.
  if (!(error instanceof TypeError) || !/^(?:fetch failed|terminated)$/.test(error.message)) {
    return null;
  }
  const cause = error.cause as { code?: string; message?: string } | undefined;
  return cause?.code || cause?.message || 'the connection was lost';
}
